/** Finds a trigger by its id alone. */
import type { Apps } from "../../apps/apps.ts";
import { notFound } from "../../errors.ts";
import type { Store, Stored } from "../../ports/store.ts";
import type { CollectionDocument } from "../collection.ts";
import { collectionKey } from "../collection-rows.ts";
import type { Trigger } from "./trigger.ts";
import { type TriggerState, triggerKey } from "./trigger-state.ts";

export interface FoundTrigger {
  readonly state: Stored<TriggerState>;
  readonly trigger: Trigger;
}

/** Null if there is no trigger with this id, or its collection or app was deleted. */
export type FindTrigger = (triggerId: string) => Promise<FoundTrigger | null>;

export function createFindTrigger({ store, apps }: { store: Store; apps: Pick<Apps, "exists"> }): FindTrigger {
  return async (triggerId) => {
    const state = await store.get<TriggerState>(triggerKey(triggerId));
    if (state === null) return null;
    const { app_id, collection_id } = state.document;
    const collection = (await store.get<CollectionDocument>(collectionKey(collection_id)))?.document;
    if (collection === undefined || collection.deleted || !(await apps.exists(app_id))) return null;
    const trigger = collection.triggers.find(({ id }) => id === triggerId);
    return trigger === undefined ? null : { state, trigger };
  };
}

export interface TriggerRef {
  readonly app_id: string;
  readonly collection_id: string;
  readonly trigger_id: string;
}

/** @throws StepwellError `not_found`, including for a trigger of another collection */
export async function requireTrigger(
  find: FindTrigger,
  { app_id, collection_id, trigger_id }: TriggerRef,
): Promise<FoundTrigger> {
  const found = await find(trigger_id);
  const isThere = found?.state.document.app_id === app_id && found.state.document.collection_id === collection_id;
  if (found === null || !isThere) throw notFound("trigger", trigger_id);
  return found;
}

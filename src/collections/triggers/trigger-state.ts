/** What is stored of a trigger beside its collection: the place where it is found by its id alone, and its secrets. */
import type { Change, Key, Store } from "../../ports/store.ts";
import type { SigningSecret } from "../../signatures/signature-form.ts";
import type { Trigger } from "./trigger.ts";

export interface TriggerState {
  /** `trig_…` */
  readonly id: string;
  readonly app_id: string;
  readonly collection_id: string;
  /** Newest first. Empty if the trigger accepts unsigned events. */
  readonly secrets: readonly SigningSecret[];
}

export const triggerKey = (triggerId: string): Key => `trigger:${triggerId}`;
/** Binds a ciphertext to its trigger, so that it cannot be moved within the storage. */
export const secretsAbout = ({ app_id, id }: TriggerState) => JSON.stringify([app_id, "trigger", id]);
export const triggersOf = (appId: string) => `triggers.${appId}`;

/** The part of a collection that has the triggers. */
interface Holder {
  readonly id: string;
  readonly app_id: string;
  readonly triggers: readonly Trigger[];
}

/** The changes to commit with a collection. @param before The triggers that it had. */
export async function stateChanges(
  store: Pick<Store, "getMany">,
  { id, app_id, triggers }: Holder,
  before: readonly Trigger[],
): Promise<Change[]> {
  const known = new Set(before.map((trigger) => trigger.id));
  const kept = new Set(triggers.map((trigger) => trigger.id));
  const added = triggers.filter((trigger) => !known.has(trigger.id));
  const gone = before.filter((trigger) => !kept.has(trigger.id));
  const stored = gone.length === 0 ? [] : await store.getMany<TriggerState>(gone.map((one) => triggerKey(one.id)));
  return [
    ...added.map((trigger) => stateChange({ id: trigger.id, app_id, collection_id: id, secrets: [] }, undefined)),
    ...stored.flatMap((state) => (state === null ? [] : [stateRemoval(state.document, state.version)])),
  ];
}

export function stateChange(state: TriggerState, expected: number | undefined): Change {
  const { id, app_id } = state;
  return { key: triggerKey(id), document: state, expected, rows: [{ list: triggersOf(app_id), put: { id } }] };
}

export function stateRemoval({ id, app_id }: TriggerState, expected: number): Change {
  return { key: triggerKey(id), document: null, expected, rows: [{ list: triggersOf(app_id), delete: id }] };
}

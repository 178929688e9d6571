/** Functions for single triggers of a collection, which contains them as a list. */
import { type Page, pageOfItems } from "../../documents/pagination.ts";
import type { Receipt } from "../../documents/receipt.ts";
import { notFound } from "../../errors.ts";
import { invalid } from "../../messages/field-errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Ids } from "../../ports/ids.ts";
import { instant } from "../../time/iso.ts";
import type { Collections } from "../collections.ts";
import type { CheckTriggers } from "./check-triggers.ts";
import type { TriggerRef } from "./find-trigger.ts";
import {
  MAX_TRIGGERS,
  type Trigger,
  type TriggerCreate,
  type TriggerUpdate,
  triggerView,
  updatedTrigger,
} from "./trigger.ts";

type CollectionRef = Omit<TriggerRef, "trigger_id">;

/** Resources of another app are `not_found`, and so is a deleted collection for writes. */
export interface Triggers {
  /** Adds a trigger at the end of the list. @throws StepwellError `invalid` as for the list of the collection */
  create(at: CollectionRef, input: TriggerCreate, receipt: Receipt): Promise<Trigger>;
  /** Returns the triggers in the order of the collection. */
  list(at: CollectionRef, query: { readonly page: number; readonly take: number }): Promise<Page<Trigger>>;
  get(at: TriggerRef): Promise<Trigger>;
  /** @throws StepwellError as `create` */
  update(at: TriggerRef, update: TriggerUpdate): Promise<Trigger>;
  /** Removes a trigger. Its pending events fail. */
  remove(at: TriggerRef): Promise<void>;
}

export function createTriggers(parts: {
  clock: Clock;
  ids: Ids;
  collections: Pick<Collections, "get" | "changeTriggers">;
  checkTriggers: CheckTriggers;
}): Triggers {
  const { clock, ids, collections, checkTriggers } = parts;

  async function stored({ app_id, collection_id }: CollectionRef): Promise<readonly Trigger[]> {
    return (await collections.get(app_id, collection_id, false)).triggers;
  }

  /** @throws StepwellError `invalid` with pointers into the trigger */
  async function requireValid(appId: string, trigger: Trigger): Promise<void> {
    const errors = await checkTriggers(appId, [trigger], [trigger], () => []);
    if (errors.length > 0) throw invalid(errors);
  }

  return {
    async create({ app_id, collection_id }, input, receipt) {
      const now = instant(clock.now());
      const trigger: Trigger = { id: ids.next("trig"), ...input, collection_id, created_at: now, updated_at: now };
      const view = triggerView(trigger);
      const added = async (triggers: readonly Trigger[]) => {
        if (triggers.length >= MAX_TRIGGERS) {
          const message = `A collection must have at most ${MAX_TRIGGERS} triggers.`;
          throw invalid([{ pointer: "", message }], "the trigger");
        }
        await requireValid(app_id, trigger);
        return [...triggers, trigger];
      };
      await collections.changeTriggers(app_id, collection_id, added, receipt(view));
      return view;
    },

    list: async (at, query) => pageOfItems(await stored(at), query),

    get: async (at) => requireOne(await stored(at), at.trigger_id),

    async update({ app_id, collection_id, trigger_id }, update) {
      const updated = async (triggers: readonly Trigger[]) => {
        const before = requireOne(triggers, trigger_id);
        const after = updatedTrigger(before, update, instant(clock.now()));
        if (canBreak(before, after)) await requireValid(app_id, after);
        return triggers.map((trigger) => (trigger === before ? after : trigger));
      };
      return triggerView(requireOne(await collections.changeTriggers(app_id, collection_id, updated), trigger_id));
    },

    async remove({ app_id, collection_id, trigger_id }) {
      await collections.changeTriggers(app_id, collection_id, (triggers) => {
        const gone = requireOne(triggers, trigger_id);
        return triggers.filter((trigger) => trigger !== gone);
      });
    },
  };
}

/** Whether a change can make a trigger invalid. Any trigger can be renamed or disabled, even if its connection is gone. */
function canBreak(before: Trigger, after: Trigger): boolean {
  const settings = ({ type, config, connection_id }: Trigger) => JSON.stringify([type, config, connection_id ?? null]);
  return (after.enabled && !before.enabled) || settings(after) !== settings(before);
}

function requireOne(triggers: readonly Trigger[], triggerId: string): Trigger {
  const found = triggers.find(({ id }) => id === triggerId);
  if (found === undefined) throw notFound("trigger", triggerId);
  return found;
}

/** The state of a trigger's polls. */
import * as v from "valibot";
import { type FindTrigger, requireTrigger, type TriggerRef } from "./find-trigger.ts";

export const TriggerPolling = v.object({
  /** When the last poll ended, ISO 8601; null before the first, and after the settings have changed. */
  polled_at: v.nullable(v.string()),
  /** When the next poll is due, ISO 8601; null if the trigger does not poll. */
  next_at: v.nullable(v.string()),
  /** Number of consecutive failed polls. */
  failures: v.number(),
  /** Why the last poll failed, or null. */
  error: v.nullable(
    v.object({
      /** Error code. */
      code: v.string(),
      /** What went wrong. */
      message: v.string(),
    }),
  ),
});
/** The state of a trigger's polls. */
export interface TriggerPolling extends Readonly<v.InferOutput<typeof TriggerPolling>> {}

/** @throws StepwellError `not_found` */
export type GetPolling = (at: TriggerRef) => Promise<TriggerPolling>;

export function createGetPolling(find: FindTrigger): GetPolling {
  return async (at) => {
    const { poll } = (await requireTrigger(find, at)).state.document;
    if (poll === null) return { polled_at: null, next_at: null, failures: 0, error: null };
    const { polled_at, next_at, failures, error } = poll;
    return { polled_at, next_at, failures, error };
  };
}

/** Waits while the queue of runs is full, which is no failure: an import may leave more rules than the queue holds. */
import { isStepwellError } from "../../../errors.ts";
import type { Clock } from "../../../ports/clock.ts";
import { createWaiters } from "../../../time/waiters.ts";
import { within } from "../../../time/within.ts";

/** Pauses double from the first to the longest. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;

/** Repeats what starts a run. @param parts.stopping Ends the waits, which then reject with its reason. */
export function createRetryWhileQueueIsFull(parts: { clock: Clock; stopping: AbortSignal }) {
  return async <T>(start: () => Promise<T>): Promise<T> => {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        return await start();
      } catch (error) {
        if (!isStepwellError(error, "too_many_requests")) throw error;
        await within(parts.clock, pause, parts.stopping, (signal) => createWaiters().wait(signal));
      }
    }
  };
}

/** Commits of a run under way: storage that does not answer is asked again before the run is given up. */
import { isStepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { Change, Store } from "../ports/store.ts";

/** Milliseconds before the next try, each time. */
const RETRIES = [100, 300, 1_000, 3_000, 10_000, 30_000];

/** @param isInHurry Whether there is no time to try again. */
export function createPatientCommit(parts: {
  store: Store;
  clock: Clock;
  logger: Logger;
  runId: string;
  isInHurry(): boolean;
}): (changes: readonly Change[]) => Promise<void> {
  const { store, clock, logger, runId, isInHurry } = parts;
  return async (changes) => {
    for (let failures = 0; ; failures++) {
      try {
        return await store.commit(changes);
      } catch (error) {
        const pause = RETRIES[failures];
        if (!isStepwellError(error, "unavailable") || pause === undefined || isInHurry()) throw error;
        logger.warn("a run could not be stored; trying again", { run: runId, error });
        await new Promise<void>((resolve) => clock.after(pause, resolve));
      }
    }
  };
}

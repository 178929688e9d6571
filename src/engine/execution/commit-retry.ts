/** Commits of a run under way: storage that does not answer is asked again before the run is given up. */
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Change, Store } from "../../ports/store.ts";
import { type RetryOptions, retryWhileUnavailable } from "./retry-storage.ts";

/** @param isInHurry Whether there is no time to try again. */
export function createPatientCommit(parts: {
  store: Store;
  clock: Clock;
  logger: Logger;
  runId: string;
  isInHurry(): boolean;
}): (changes: readonly Change[]) => Promise<void> {
  const { store, clock, logger, runId, isInHurry } = parts;
  const failed = (error: unknown) => logger.warn("could not store a run; retrying", { run: runId, error });
  const patience: RetryOptions = { clock, isInHurry, failed };
  return (changes) => retryWhileUnavailable(() => store.commit(changes), patience);
}

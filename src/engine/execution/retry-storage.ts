/** Retries storage calls that were not answered, with growing delays. */
import { isStepwellError } from "../../errors.ts";
import type { Clock } from "../../ports/clock.ts";

/**
 * Delay before each retry, 39 seconds in total. Unlike background tasks (src/time/background.ts), these retries end: a
 * run in memory occupies a slot, and callers wait for it. When they end, the run is evicted, its slot is freed, and
 * resuming it becomes a background task.
 */
const RETRY_DELAYS_MS = [100, 300, 1_000, 3_000, 10_000, 25_000];

export interface RetryOptions {
  readonly clock: Clock;
  /** Whether to skip further retries. */
  isStopped(): boolean;
  /** Called after each failure that is retried. */
  onFailure(error: unknown): void;
}

/** Use only for idempotent calls: an unanswered call may have taken effect. */
export async function retryWhileUnavailable<T>(
  act: () => Promise<T>,
  { clock, isStopped, onFailure }: RetryOptions,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await act();
    } catch (error) {
      const delay = RETRY_DELAYS_MS[failures];
      if (!isStepwellError(error, "unavailable") || delay === undefined || isStopped()) throw error;
      onFailure(error);
      await new Promise<void>((resolve) => clock.after(delay, resolve));
    }
  }
}

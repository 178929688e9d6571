/** Retries calls that the storage did not answer, with growing delays, before they are given up. */
import { isStepwellError } from "../../errors.ts";
import type { Clock } from "../../ports/clock.ts";

/** How long each retry waits. */
const RETRY_DELAYS_MS = [100, 300, 1_000, 3_000, 10_000, 30_000];

export interface RetryOptions {
  readonly clock: Clock;
  /** Whether there is no time for another attempt. */
  isInHurry(): boolean;
  /** Called for each failure that is followed by another attempt. */
  onFailure(error: unknown): void;
}

/** Only for what may be done twice: a call that was not answered may have taken effect. */
export async function retryWhileUnavailable<T>(
  act: () => Promise<T>,
  { clock, isInHurry, onFailure }: RetryOptions,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await act();
    } catch (error) {
      const delay = RETRY_DELAYS_MS[failures];
      if (!isStepwellError(error, "unavailable") || delay === undefined || isInHurry()) throw error;
      onFailure(error);
      await new Promise<void>((resolve) => clock.after(delay, resolve));
    }
  }
}

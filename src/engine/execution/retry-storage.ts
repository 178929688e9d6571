/** What storage does not answer is asked again, with growing pauses, before it is given up. */
import { isStepwellError } from "../../errors.ts";
import type { Clock } from "../../ports/clock.ts";

/** Milliseconds before the next try, each time. */
const RETRY_DELAYS_MS = [100, 300, 1_000, 3_000, 10_000, 30_000];

export interface RetryOptions {
  readonly clock: Clock;
  /** Whether there is no time to try again. */
  isInHurry(): boolean;
  /** Told of each failure behind which another try comes. */
  failed(error: unknown): void;
}

/** Only for what may be done twice: a call that was not answered may have taken effect. */
export async function retryWhileUnavailable<T>(
  act: () => Promise<T>,
  { clock, isInHurry, failed }: RetryOptions,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await act();
    } catch (error) {
      const pause = RETRY_DELAYS_MS[failures];
      if (!isStepwellError(error, "unavailable") || pause === undefined || isInHurry()) throw error;
      failed(error);
      await new Promise<void>((resolve) => clock.after(pause, resolve));
    }
  }
}

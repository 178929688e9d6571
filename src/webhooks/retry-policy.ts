/** When a delivery is retried, and when it fails for good. Pure. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../time/units.ts";

/** Pauses after the first attempts. */
const PAUSES_MS = [
  ...[5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS],
  ...[1, 2, 4, 8].map((hours) => hours * HOUR_MS),
] as const;
/** The pause after each later attempt. */
const LAST_PAUSE_MS = 12 * HOUR_MS;

/** How long a delivery is retried, and how long a webhook may fail before it is turned off. */
export const RETRY_PERIOD_MS = 3 * DAY_MS;
/** The longest pause that `Retry-After` can request. */
const MAX_PAUSE_MS = DAY_MS;

/**
 * Milliseconds until the next attempt; null if there is none. The last attempt is made at the end of the three days.
 * @param tries Number of attempts so far.
 * @param retryAfterMs The pause that `Retry-After` asks for.
 */
export function nextPause(tries: number, triedForMs: number, retryAfterMs: number | undefined): number | null {
  const leftMs = RETRY_PERIOD_MS - triedForMs;
  if (leftMs <= 0) return null;
  const pause = Math.min(PAUSES_MS[tries - 1] ?? LAST_PAUSE_MS, leftMs);
  return Math.max(pause, grantedPause(retryAfterMs));
}

/** The pause that `Retry-After` gets, in milliseconds. */
export const grantedPause = (retryAfterMs: number | undefined) => Math.min(retryAfterMs ?? 0, MAX_PAUSE_MS);

/**
 * The number of tries to continue with after an outage. The immediate retry adds one again, so if it fails, the delivery waits
 * as long as after its last attempt, an hour at most.
 */
export const triesAfterOutage = (tries: number) => Math.max(0, Math.min(tries, 6) - 1);

/**
 * The longest time until the next attempt of a delivery whose attempts all failed within this number of milliseconds: each of
 * {@link PAUSES_MS} is at most six times the pause before it.
 */
export const maxPauseAfter = (failedForMs: number) => 5 * SECOND_MS + 6 * failedForMs;

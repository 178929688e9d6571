/** When a delivery is retried, and when it fails for good. Pure. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../time/units.ts";

/** Pauses after each attempt: together almost three days. */
const PAUSES_MS = [
  ...[5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS],
  ...[1, 2, 4, 8, 12, 12, 12, 12, 8].map((hours) => hours * HOUR_MS),
] as const;

/** How long a delivery is retried, and how long a webhook may fail before it is turned off. */
export const RETRY_PERIOD_MS = 3 * DAY_MS;
/** The longest pause that `Retry-After` can request. */
const MAX_PAUSE_MS = DAY_MS;

/**
 * Milliseconds until the next attempt; null if there is none.
 * @param tries Number of attempts so far.
 * @param retryAfterMs The pause that `Retry-After` asks for.
 */
export function nextPause(tries: number, triedForMs: number, retryAfterMs: number | undefined): number | null {
  const pause = PAUSES_MS[tries - 1];
  if (pause === undefined || triedForMs >= RETRY_PERIOD_MS) return null;
  return Math.max(pause, Math.min(retryAfterMs ?? 0, MAX_PAUSE_MS));
}

/** When a delivery is sent again, and when it is given up. Pure. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../time/units.ts";

/** Pauses after the first attempt and those that follow: together almost three days. */
const PAUSES_MS = [
  ...[5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS],
  ...[1, 2, 4, 8, 12, 12, 12, 12, 8].map((hours) => hours * HOUR_MS),
] as const;

/** How long a delivery is tried, and how long a webhook may fail before it is turned off. */
export const PATIENCE_MS = 3 * DAY_MS;
/** The longest pause that `Retry-After` can ask for. */
const LONGEST_PAUSE_MS = DAY_MS;

/**
 * Milliseconds until the next attempt; null if the delivery is given up.
 * @param tries Attempts so far.
 * @param asked What `Retry-After` asks for.
 */
export function nextPause(tries: number, triedForMs: number, asked: number | undefined): number | null {
  const pause = PAUSES_MS[tries - 1];
  if (pause === undefined || triedForMs >= PATIENCE_MS) return null;
  return Math.max(pause, Math.min(asked ?? 0, LONGEST_PAUSE_MS));
}

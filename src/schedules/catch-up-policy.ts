/** Decides which due times of a schedule start a run when the schedule is late. Pure. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../time/units.ts";
import type { NextMoment } from "./recurrence.ts";
import type { Schedule } from "./schedule.ts";

export interface FiringDecision {
  /** Due time to start a run for now; null for none. */
  readonly run: number | null;
  /** When to check the schedule again; null for never. May be in the past. */
  readonly next: number | null;
}

/** Milliseconds that a run may be late without counting as missed. */
export const TOLERANCE_MS = MINUTE_MS;

/** @param due The earliest due time without a run, at most `now`. */
export function decideFiring(due: number, now: number, missed: Schedule["missed"], next: NextMoment): FiringDecision {
  if (missed === "all") return { run: due, next: next(due) };
  const last = latestDue(due, now, next);
  const isMissed = now - last > TOLERANCE_MS;
  return { run: missed === "skip" && isMissed ? null : last, next: next(now) };
}

/** The latest due time that has passed, without visiting every missed one. */
function latestDue(due: number, now: number, next: NextMoment): number {
  // Search backwards from now in growing steps: a pattern too rare for these has few times in all.
  for (const back of [MINUTE_MS, HOUR_MS, DAY_MS]) {
    const from = next(Math.max(due, now - back) - 1);
    if (from !== null && from <= now) return lastFrom(from, now, next);
  }
  return lastFrom(due, now, next);
}

function lastFrom(first: number, now: number, next: NextMoment): number {
  let last = first;
  for (let after = next(last); after !== null && after <= now; after = next(last)) last = after;
  return last;
}

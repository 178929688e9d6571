/** Decides which moments of a schedule a run is made for, when it is looked at late. Pure. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../time/units.ts";
import type { NextMoment } from "./recurrence.ts";
import type { Schedule } from "./schedule.ts";

export interface FiringDecision {
  /** The moment to run for now; null to run for none. */
  readonly run: number | null;
  /** The moment to look again; null for never. It may have passed already. */
  readonly next: number | null;
}

/** Milliseconds that a moment may be late without having been missed. */
export const TOLERANCE_MS = MINUTE_MS;

/** @param due The earliest moment that no run was made for, not behind `now`. */
export function decideFiring(due: number, now: number, missed: Schedule["missed"], next: NextMoment): FiringDecision {
  if (missed === "all") return { run: due, next: next(due) };
  const last = latestDue(due, now, next);
  const isMissed = now - last > TOLERANCE_MS;
  return { run: missed === "skip" && isMissed ? null : last, next: next(now) };
}

/** The latest moment that has come; of many that were missed not each is looked at. */
function latestDue(due: number, now: number, next: NextMoment): number {
  // From a moment shortly before now on there are few; a pattern too rare for that has few in all.
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

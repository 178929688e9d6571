/** Decides which moments of a schedule a run is made for, when it is looked at late. Pure. */
import type { NextMoment } from "./recurrence.ts";
import type { Schedule } from "./schedule.ts";

export interface Firing {
  /** The moment to run for now; null to run for none. */
  readonly run: number | null;
  /** The moment to look again; null for never. It may have passed already. */
  readonly next: number | null;
}

/** Milliseconds that a moment may be late without having been missed. */
export const LATE = 60_000;

/** @param due The earliest moment that no run was made for, not behind `now`. */
export function firingAt(due: number, now: number, missed: Schedule["missed"], next: NextMoment): Firing {
  if (missed === "all") return { run: due, next: next(due) };
  const last = latest(due, now, next);
  const isMissed = now - last > LATE;
  return { run: missed === "skip" && isMissed ? null : last, next: next(now) };
}

/** The latest moment that has come; of many that were missed not each is looked at. */
function latest(due: number, now: number, next: NextMoment): number {
  // From a moment shortly before now on there are few; a pattern too rare for that has few in all.
  for (const back of [LATE, 60 * LATE, 24 * 60 * LATE]) {
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

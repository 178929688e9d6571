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

/**
 * What is late, but not missed, runs in any case, each time by a decision of its own. Pass the same `now` until the next due time
 * is later, or those that wait for their turn would be missed meanwhile.
 * @param due The earliest due time without a run, at most `now`.
 */
export function decideFiring(due: number, now: number, missed: Schedule["missed"], next: NextMoment): FiringDecision {
  if (missed === "all" || now - due <= TOLERANCE_MS) return { run: due, next: next(due) };
  const lastMissed = now - TOLERANCE_MS - 1;
  return { run: missed === "skip" ? null : latestDue(due, lastMissed, next), next: next(lastMissed) };
}

/** The latest due time up to a moment, without visiting every missed one. */
function latestDue(due: number, until: number, next: NextMoment): number {
  // Search backwards in growing steps: a pattern too rare for these has few times in all.
  for (const back of [MINUTE_MS, HOUR_MS, DAY_MS]) {
    const from = next(Math.max(due, until - back) - 1);
    if (from !== null && from <= until) return lastFrom(from, until, next);
  }
  return lastFrom(due, until, next);
}

function lastFrom(first: number, until: number, next: NextMoment): number {
  let last = first;
  for (let after = next(last); after !== null && after <= until; after = next(last)) last = after;
  return last;
}

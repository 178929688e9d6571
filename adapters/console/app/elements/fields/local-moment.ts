/** Local times of a day on which the clocks change. Pure, but for the time zone of the browser. */
import { localDateTime } from "./local-date-time.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

export interface UnclearMoment {
  /** Whether the clocks skip the local time, or show it twice. */
  readonly kind: "skipped" | "twice";
  /** The instant that is used, ISO 8601. */
  readonly taken: string;
}

/** @param local As `<input type="datetime-local">` has it. Null for a time that exists once, and for none. */
export function unclearMoment(local: string): UnclearMoment | null {
  const date = new Date(local);
  const time = date.getTime();
  if (Number.isNaN(time)) return null;
  const taken = date.toISOString();
  const minute = local.slice(0, 16);
  if (localDateTime(taken) !== minute) return { kind: "skipped", taken };
  const offsetAt = (instant: number) => new Date(instant).getTimezoneOffset() * MINUTE_MS;
  // JavaScript takes the first of two.
  const later = time + Math.abs(offsetAt(time + DAY_MS) - offsetAt(time - DAY_MS));
  return later !== time && localDateTime(new Date(later).toISOString()) === minute ? { kind: "twice", taken } : null;
}

/** Timestamps as ISO 8601 text. */

/** The end of the year 9999. Later timestamps have more digits, and would sort before all others as text. */
export const LAST_INSTANT = Date.UTC(10_000, 0) - 1;

/** Caches the last result: many timestamps are equal, and formatting is expensive. */
let last = { milliseconds: 0, text: "1970-01-01T00:00:00.000Z" };

/** Formats a timestamp as ISO 8601 in UTC with milliseconds. */
export function instant(milliseconds: number): string {
  if (milliseconds !== last.milliseconds) last = { milliseconds, text: new Date(milliseconds).toISOString() };
  return last.text;
}

/** Returns the date part of an ISO 8601 timestamp. */
export function dateOf(iso: string): string {
  return iso.slice(0, 10);
}

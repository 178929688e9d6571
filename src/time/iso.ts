/** Instants as ISO 8601 text. */

/** The end of the year 9999: what lies behind it has more digits, and as text it would come before everything else. */
export const LAST_INSTANT = Date.UTC(10_000, 0) - 1;

/** Much happens within one millisecond, and spelling it out costs more than anything else about it. */
let last = { milliseconds: 0, text: "1970-01-01T00:00:00.000Z" };

/** An instant as ISO 8601 in UTC, with milliseconds. */
export function instant(milliseconds: number): string {
  if (milliseconds !== last.milliseconds) last = { milliseconds, text: new Date(milliseconds).toISOString() };
  return last.text;
}

/** The date part of an ISO instant. */
export function dateOf(iso: string): string {
  return iso.slice(0, 10);
}

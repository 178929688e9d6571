/** Moments as `<input type="datetime-local">` has them. */

const MINUTE_MS = 60_000;

/** An instant as local date and time to the minute, without the zone: `2026-11-26T09:14`. */
export function localDateTime(instant: string): string {
  const date = new Date(instant);
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS);
  return shifted.toISOString().slice(0, 16);
}

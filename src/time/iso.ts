/** Timestamps as ISO 8601 text. */

/** The end of the year 9999. Later timestamps have more digits, and would sort before all others as text. */
export const LAST_INSTANT = Date.UTC(10_000, 0) - 1;

/** Recent results, each in the place of its last bits: timestamps of one moment are many, and formatting is expensive. */
const recent = Array.from({ length: 64 }, () => ({ milliseconds: 0, text: "1970-01-01T00:00:00.000Z" }));

/** Formats a timestamp as ISO 8601 in UTC with milliseconds. */
export function instant(milliseconds: number): string {
  const known = recent[milliseconds & (recent.length - 1)];
  if (known?.milliseconds === milliseconds) return known.text;
  const text = new Date(milliseconds).toISOString();
  if (known !== undefined) {
    known.milliseconds = milliseconds;
    known.text = text;
  }
  return text;
}

/** Returns the date part of an ISO 8601 timestamp. */
export function dateOf(iso: string): string {
  return iso.slice(0, 10);
}

/** Durations in expressions: parsing, formatting and arithmetic, exact to the nanosecond. Pure. */
import { Duration } from "@marcbachmann/cel-js/evaluator";
import { trimEnd } from "../../../encoding/trim.ts";

const NANOSECONDS: ReadonlyMap<string, bigint> = new Map([
  ["h", 3_600_000_000_000n],
  ["m", 60_000_000_000n],
  ["s", 1_000_000_000n],
  ["ms", 1_000_000n],
  ["us", 1_000n],
  ["µs", 1_000n],
  ["ns", 1n],
]);
const SECOND = 1_000_000_000n;
const MILLISECOND = 1_000_000n;
/** Range of a signed 64-bit number of nanoseconds, 292 years (CEL language definition, "Overflow"). */
const MAX = 2n ** 63n - 1n;
const MIN = -(2n ** 63n);

/** Longer than any valid duration. */
const MAX_TEXT_CHARS = 100;
const WHOLE = /^([+-]?)((?:\d+(?:\.\d*)?|\.\d+)(?:h|ms|m|s|us|\u00b5s|ns))+$/;
const PARTS = /(\d*)(?:\.(\d*))?(h|ms|m|s|us|\u00b5s|ns)/gy;

/** @throws Error if the text is not a sequence of decimal numbers with units, such as `-1.5h` or `2h45m`. */
export function parseDuration(text: string): Duration {
  if (/^[+-]?0$/.test(text)) return durationOf(0n);
  if (text.length > MAX_TEXT_CHARS || !WHOLE.test(text)) {
    throw new Error(`${JSON.stringify(text.slice(0, 50))} is not a duration such as 1h30m, 1.5s or -250ms`);
  }
  let sum = 0n;
  for (const [, whole = "", fraction = "", unit = ""] of text.replace(/^[+-]/, "").matchAll(PARTS)) {
    const size = NANOSECONDS.get(unit) ?? 0n;
    sum += BigInt(whole || 0) * size + (BigInt(fraction || 0) * size) / 10n ** BigInt(fraction.length);
  }
  return durationOf(text.startsWith("-") ? -sum : sum);
}

/** @throws Error if out of range. */
export function durationOf(nanoseconds: bigint): Duration {
  if (nanoseconds < MIN || nanoseconds > MAX) throw new Error("the duration must be within 292 years");
  return new Duration(nanoseconds / SECOND, Number(nanoseconds % SECOND));
}

export function nanosecondsOf({ seconds, nanos }: Duration): bigint {
  return seconds * SECOND + BigInt(nanos);
}

/** Formats a duration in seconds, such as `-1.5s` (JSON form of protobuf's `Duration`). */
export function durationText(duration: Duration): string {
  const nanoseconds = nanosecondsOf(duration);
  const [sign, size] = nanoseconds < 0n ? ["-", -nanoseconds] : ["", nanoseconds];
  const fraction = trimEnd(String(size % SECOND).padStart(9, "0"), "0");
  return `${sign}${size / SECOND}${fraction === "" ? "" : `.${fraction}`}s`;
}

/** Adds nanoseconds to a date, rounding down to milliseconds. @throws Error outside the years 1 to 9999. */
export function addNanoseconds(date: Date, nanoseconds: bigint): Date {
  const cut = nanoseconds / MILLISECOND - (nanoseconds % MILLISECOND < 0n ? 1n : 0n);
  return instant(date.getTime() + Number(cut));
}

export function durationBetween(from: Date, to: Date): Duration {
  return durationOf(BigInt(to.getTime() - from.getTime()) * MILLISECOND);
}

const FIRST_INSTANT = -62_135_596_800_000;
const LAST_INSTANT = 253_402_300_799_999;

/** @throws Error if the time is outside the years 1 to 9999 (RFC 3339, as CEL reads it). */
export function instant(milliseconds: number): Date {
  if (milliseconds >= FIRST_INSTANT && milliseconds <= LAST_INSTANT) return new Date(milliseconds);
  throw new Error("the timestamp must be between the years 1 and 9999");
}

/** Operations on numbers, and on lists of any values, for the functions of expressions. Pure. */
import { Duration, UnsignedInt } from "@marcbachmann/cel-js/evaluator";
import { isRecord, sortedJson } from "../../../json.ts";
import { type Budget, CHARS_PER_OPERATION } from "../operation-budget.ts";
import { compareTexts } from "./code-points.ts";
import { durationText, nanosecondsOf } from "./durations.ts";
import { toJson } from "./to-json.ts";

/** Describes a value's kind for error messages, such as `a list`. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "a list";
  if (value instanceof Date) return "a date";
  if (value instanceof Duration) return "a duration";
  if (value instanceof Uint8Array) return "bytes";
  if (typeof value === "string") return "a string";
  if (typeof value === "boolean") return "a boolean";
  return isNumber(value) ? "a number" : "a map";
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" || typeof value === "bigint" || value instanceof UnsignedInt;
}

/** @throws Error if the value is not a number. */
export function numberOf(value: unknown): number {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (value instanceof UnsignedInt) return Number(value.value);
  throw new Error(`expected a number, not ${kindOf(value)}`);
}

export function wholeOf(value: unknown): number {
  const number = numberOf(value);
  if (!Number.isSafeInteger(number)) throw new Error(`expected a whole number, not ${number}`);
  return number;
}

const MAX_DIGITS = 15;

/** Rounds half away from zero, based on the decimal representation: 1.005 to two digits is 1.01. */
export function roundNumber(value: unknown, places: unknown): number {
  const digits = wholeOf(places);
  if (Math.abs(digits) > MAX_DIGITS)
    throw new Error(`the number of digits must be at most ${MAX_DIGITS}, not ${digits}`);
  const number = numberOf(value);
  const [mantissa = "", exponent = "0"] = String(Math.abs(number)).split("e");
  const whole = Math.round(Number(`${mantissa}e${Number(exponent) + digits}`));
  const [rest = "", power = "0"] = String(whole).split("e");
  return Math.sign(number) * Number(`${rest}e${Number(power) - digits}`);
}

/** The number with exactly so many decimals, rounded like {@link roundNumber}: `42.5` with two digits is "42.50". */
export function fixedNumber(value: unknown, places: unknown): string {
  const digits = wholeOf(places);
  if (digits < 0 || digits > MAX_DIGITS)
    throw new Error(`the number of digits must be from 0 to ${MAX_DIGITS}, not ${digits}`);
  const rounded = roundNumber(value, digits);
  if (Math.abs(rounded) < 1e21) return rounded.toFixed(digits);
  // Such numbers are whole, and `toFixed` writes them with an exponent.
  return digits === 0 ? `${BigInt(rounded)}` : `${BigInt(rounded)}.${"0".repeat(digits)}`;
}

/** Compares two numbers, strings, dates, durations or booleans. @throws Error if they cannot be ordered. */
export function compare(a: unknown, b: unknown): number {
  const [left, right] = [orderOf(a), orderOf(b)];
  if (kindOf(a) !== kindOf(b)) throw new Error(`cannot compare ${kindOf(a)} with ${kindOf(b)}`);
  if (typeof left === "string" && typeof right === "string") return compareTexts(left, right);
  return left < right ? -1 : left > right ? 1 : 0;
}

function orderOf(value: unknown): string | number | bigint {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return Number(value);
  if (value instanceof Date) return value.getTime();
  if (value instanceof Duration) return nanosecondsOf(value);
  if (isNumber(value)) return numberOf(value);
  throw new Error(`${kindOf(value)} cannot be ordered`);
}

/** Returns the smallest (-1) or greatest (1) value, or null if there are none. */
export function extreme(values: readonly unknown[], sign: 1 | -1): unknown {
  const [first = null, ...others] = values;
  orderOf(first ?? 0);
  return others.reduce((best, value) => (compare(value, best) * sign > 0 ? value : best), first);
}

/** Returns the same key for equal values, regardless of the order of object keys. */
export function identity(value: unknown): unknown {
  if (typeof value === "string") return `"${value}`;
  if (isNumber(value)) return numberOf(value);
  if (typeof value !== "object" || value === null) return value;
  return sortedJson(toJson(value));
}

/**
 * Charges for the text before it is written.
 * @throws Error if an item is not a string, number, boolean, date or duration.
 */
export function joinItems(items: readonly unknown[], between: string, { spend }: Pick<Budget, "spend">): string {
  spend(items.length);
  const texts = items.map((item, index) => {
    if (typeof item === "string") return item;
    if (typeof item === "boolean" || isNumber(item)) return String(item);
    if (item instanceof Date) return item.toISOString();
    if (item instanceof Duration) return durationText(item);
    throw new Error(`the item at ${index} is ${kindOf(item)}, which cannot be converted to a string`);
  });
  const chars = texts.reduce((sum, text) => sum + text.length + between.length, 0);
  spend(Math.floor(chars / CHARS_PER_OPERATION));
  return texts.join(between);
}

export function entriesOf(map: object): [unknown, unknown][] {
  return map instanceof Map ? [...map] : Object.entries(map);
}

/** Returns the value of a key, or null. */
export function fieldOf(value: unknown, key: string): unknown {
  if (value instanceof Map) return value.get(key) ?? null;
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : null;
}

/** What the functions of expressions do with numbers and lists of any values. Pure. */
import { Duration, UnsignedInt } from "@marcbachmann/cel-js/evaluator";
import { isRecord } from "../../../json.ts";
import { compareTexts } from "./code-points.ts";
import { durationText, nanosecondsOf } from "./durations.ts";
import { toJson } from "./to-json.ts";

/** `null`, `text`, `list`: in the words of messages. */
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

/** @throws Error for what is no number. */
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

/** Half goes away from zero, by the digits that one sees: 1.005 to two digits is 1.01. */
export function rounded(value: unknown, places: unknown): number {
  const digits = wholeOf(places);
  if (Math.abs(digits) > MAX_DIGITS)
    throw new Error(`the number of digits must be at most ${MAX_DIGITS}, not ${digits}`);
  const number = numberOf(value);
  const [mantissa = "", exponent = "0"] = String(Math.abs(number)).split("e");
  const whole = Math.round(Number(`${mantissa}e${Number(exponent) + digits}`));
  const [rest = "", power = "0"] = String(whole).split("e");
  return Math.sign(number) * Number(`${rest}e${Number(power) - digits}`);
}

/** The order of two numbers, texts, dates, durations or truth values. @throws Error for two that have none. */
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

/** The smallest (-1) or greatest (1); null of none. */
export function most(values: readonly unknown[], sign: 1 | -1): unknown {
  const [first = null, ...others] = values;
  orderOf(first ?? 0);
  return others.reduce((best, value) => (compare(value, best) * sign > 0 ? value : best), first);
}

/** The same for values that are equal, whatever the order of their keys. */
export function identity(value: unknown): unknown {
  if (typeof value === "string") return `"${value}`;
  if (isNumber(value)) return numberOf(value);
  if (typeof value !== "object" || value === null) return value;
  return JSON.stringify(toJson(value), (_key, item: unknown) =>
    isRecord(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
  );
}

/** @throws Error when an item is no text, number, truth value or date. */
export function joined(items: readonly unknown[], between: string): string {
  return items
    .map((item, index) => {
      if (typeof item === "string") return item;
      if (typeof item === "boolean" || isNumber(item)) return String(item);
      if (item instanceof Date) return item.toISOString();
      if (item instanceof Duration) return durationText(item);
      throw new Error(`the item at ${index} is ${kindOf(item)}, which cannot be converted to a string`);
    })
    .join(between);
}

export function entriesOf(map: object): [unknown, unknown][] {
  return map instanceof Map ? [...map] : Object.entries(map);
}

/** The value of a key, null without. */
export function fieldOf(value: unknown, key: string): unknown {
  if (value instanceof Map) return value.get(key) ?? null;
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : null;
}

/** Equality in expressions: numbers compare by value regardless of type, lists and maps by content. Pure. */
import { Optional } from "@marcbachmann/cel-js";
import { Duration, UnsignedInt } from "@marcbachmann/cel-js/evaluator";
import { nanosecondsOf } from "./durations.ts";

/** Values of different kinds are not equal. */
export function areEqual(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" && a === b) return true;
  const [left, right] = [plainNumber(a), plainNumber(b)];
  if (isNumeric(left)) return isNumeric(right) && left <= right && left >= right; // exact between integers and doubles
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, at) => areEqual(item, b[at]));
  if (a instanceof Date) return b instanceof Date && a.getTime() === b.getTime();
  if (a instanceof Duration) return b instanceof Duration && nanosecondsOf(a) === nanosecondsOf(b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && compareBytes(a, b) === 0;
  if (a instanceof Optional) {
    if (!(b instanceof Optional) || a.hasValue() !== b.hasValue()) return false;
    return !a.hasValue() || areEqual(a.value(), b.value());
  }
  return isMap(a) && isMap(b) ? areEqualMaps(a, b) : a === b;
}

export function contains(list: readonly unknown[], value: unknown): boolean {
  return list.some((item) => areEqual(item, value));
}

function areEqualMaps(a: object, b: object): boolean {
  if (sizeOf(a) !== sizeOf(b)) return false;
  for (const [key, value] of a instanceof Map ? a : Object.entries(a)) {
    const other = entryOf(b, key);
    if (other === undefined || !areEqual(value, other)) return false;
  }
  return true;
}

const sizeOf = (map: object) => (map instanceof Map ? map.size : Object.keys(map).length);

/** Whether the value is a `Map` or a plain object. */
export function isMap(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  if (value instanceof Map) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * Returns the value at a key in the form of `keyOf`, or undefined. Plain objects have only string keys, so numbers
 * become strings.
 */
export function entryOf(map: object, key: unknown): unknown {
  if (map instanceof Map) return map.get(key);
  if (typeof key !== "string" && typeof key !== "bigint") return undefined;
  const name = String(key);
  return Object.hasOwn(map, name) ? Reflect.get(map, name) : undefined;
}

/** Creates a map: a plain object, as in JSON, if all keys are strings. */
export function mapOf(entries: Iterable<readonly [unknown, unknown]>): object {
  const map = new Map(entries);
  return [...map.keys()].every((key) => typeof key === "string") ? Object.fromEntries(map) : map;
}

/** Converts integers of any type to the form used as keys. Returns other values unchanged. */
export function keyOf(value: unknown): unknown {
  const key = plainNumber(value);
  return typeof key === "number" && Number.isInteger(key) ? BigInt(key) : key;
}

function plainNumber(value: unknown): unknown {
  return value instanceof UnsignedInt ? value.value : value;
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Converts CEL values to JSON. Pure. */
import { Optional } from "@marcbachmann/cel-js";
import { Duration, UnsignedInt } from "@marcbachmann/cel-js/evaluator";
import { toBase64 } from "../../../encoding/base64.ts";
import { MEBIBYTE } from "../../../encoding/bytes.ts";
import { isRecord, type JsonValue, MAX_DEPTH } from "../../../json.ts";
import { durationText } from "./durations.ts";
import { namesOf } from "./object-names.ts";

/** Approximate maximum length of a result as JSON, in characters. Higher than the limit of any step's output. */
const MAX_JSON_CHARS = 64 * MEBIBYTE;
/** Cost of each value in addition to its characters. Limits nested lists that repeat the same list. */
const CHARS_PER_VALUE = 12;

/** Number of values from which a value within another one is not visited again. */
const MIN_KNOWN_VALUES = 1_000;

interface Measure {
  /** What it takes of the limit of a result. */
  readonly size: number;
  /** Levels within it. */
  readonly height: number;
}

/** Values that were plain JSON, such as whole outputs: each is visited once, however many expressions return or contain it. */
const plain = new WeakMap<object, Measure>();

/**
 * Converts a CEL value to plain JSON. Returns the value itself if it is plain JSON already.
 * @param onRead Called with how many values were visited: the value itself, and all in it that were not visited before.
 * @throws Error if JSON cannot represent it, or it is too large.
 */
export function toJson(root: unknown, onRead?: (values: number) => void): JsonValue {
  if (typeof root === "boolean" || (typeof root === "number" && Number.isFinite(root))) {
    onRead?.(1);
    return root; // what most expressions return
  }
  let left = MAX_JSON_CHARS;
  let count = 0;
  let deepest = 0;

  function take(size: number): void {
    left -= size;
    if (left < 0) throw new Error("The result is too large");
  }

  function spend(size: number): void {
    count++;
    take(size + CHARS_PER_VALUE);
  }

  function list(items: readonly unknown[], depth: number): JsonValue {
    const convertedItems = items.map((item) => json(item, depth));
    // Each item is JSON.
    return convertedItems.some((item, index) => item !== items[index]) ? convertedItems : (items as JsonValue[]);
  }

  function jsonKey(name: unknown): string {
    const key = String(name);
    if (key === "__proto__") throw new Error('The key "__proto__" is not allowed in the result');
    spend(key.length);
    return key;
  }

  function map(value: ReadonlyMap<unknown, unknown>, depth: number): JsonValue {
    return Object.fromEntries([...value].map(([name, item]) => [jsonKey(name), json(item, depth)]));
  }

  /** Only what changes is copied: an object may have hundreds of thousands of keys. */
  function object(value: Readonly<Record<string, unknown>>, depth: number): JsonValue {
    const changed = new Map<string, JsonValue>();
    for (const name of namesOf(value)) {
      jsonKey(name);
      const converted = json(value[name], depth);
      if (converted !== value[name]) changed.set(name, converted);
    }
    const isSame = changed.size === 0 && Object.getPrototypeOf(value) === Object.prototype;
    // Each value that did not change is JSON.
    const same = value as { [key: string]: JsonValue };
    if (isSame) return same;
    return { ...same, ...Object.fromEntries(changed) };
  }

  function reach(depth: number): void {
    if (depth > MAX_DEPTH) throw new Error(`The result must not be nested deeper than ${MAX_DEPTH} levels`);
    deepest = Math.max(deepest, depth);
  }

  function json(value: unknown, depth: number): JsonValue {
    reach(depth);
    if (typeof value !== "object" || value === null) return converted(value, depth);
    const measured = plain.get(value);
    if (measured !== undefined) {
      reach(depth + measured.height);
      take(measured.size);
      return value as JsonValue; // it was plain JSON
    }
    const before = { left, count, deepest };
    deepest = depth;
    const result = converted(value, depth);
    const isWorth = depth === 0 || count - before.count >= MIN_KNOWN_VALUES;
    if (isWorth && result === value) plain.set(value, { size: before.left - left, height: deepest - depth });
    deepest = Math.max(deepest, before.deepest);
    return result;
  }

  function converted(value: unknown, depth: number): JsonValue {
    spend(typeof value === "string" ? value.length : 0);
    switch (typeof value) {
      case "string":
      case "boolean":
        return value;
      case "bigint":
        return Number(value);
      case "number":
        if (!Number.isFinite(value)) throw new Error(`The result must be a finite number, not ${value}`);
        return value;
    }
    if (value === null || value === undefined) return null;
    if (Array.isArray(value)) return list(value, depth + 1);
    if (value instanceof Map) return map(value, depth + 1);
    if (value instanceof Date) return isoText(value);
    if (value instanceof Optional) return value.hasValue() ? json(value.value(), depth) : null;
    if (value instanceof Uint8Array) return toBase64(value);
    const prototype: unknown = Object.getPrototypeOf(value);
    if (isRecord(value) && (prototype === Object.prototype || prototype === null)) {
      return object(value, depth + 1);
    }
    if (value instanceof UnsignedInt) return Number(value.value);
    return value instanceof Duration ? durationText(value) : typeName(value);
  }

  const result = json(root, 0);
  if (count > 0) onRead?.(count);
  return result;
}

export function isoText(moment: Date): string {
  if (Number.isNaN(moment.getTime())) throw new Error("The date is out of range");
  return moment.toISOString();
}

/** Returns the name of a type value, such as `int` for `type(1)`. */
export function typeName(type: object): string {
  const [, name = "dyn"] = /^Type<(.*)>$/.exec(String(type)) ?? [];
  return name === "null" ? "null_type" : name;
}

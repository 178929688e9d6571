/** Converts CEL values to JSON. Pure. */
import { Optional } from "@marcbachmann/cel-js";
import { Duration, UnsignedInt } from "@marcbachmann/cel-js/evaluator";
import { toBase64 } from "../../../encoding/base64.ts";
import { MEBIBYTE } from "../../../encoding/bytes.ts";
import { isRecord, type JsonValue, MAX_DEPTH } from "../../../json.ts";
import { durationText } from "./durations.ts";

/** Approximate maximum length of a result as JSON, in characters. Higher than the limit of any step's output. */
const MAX_JSON_CHARS = 64 * MEBIBYTE;
/** Cost of each value in addition to its characters. Limits nested lists that repeat the same list. */
const CHARS_PER_VALUE = 12;

/** Values that were plain JSON, such as whole outputs: each is looked at once, however many expressions return it. */
const plain = new WeakSet<object>();

const isPlain = (value: unknown): value is JsonValue & object =>
  typeof value === "object" && value !== null && plain.has(value);

/**
 * Converts a CEL value to plain JSON. Returns the value itself if it is plain JSON already.
 * @param onRead Called with how many values were looked at: the value itself, and all in it.
 * @throws Error if JSON cannot represent it, or it is too large.
 */
export function toJson(root: unknown, onRead?: (values: number) => void): JsonValue {
  if (isPlain(root)) return root;
  let left = MAX_JSON_CHARS;
  let count = 0;

  function spend(size: number): void {
    count++;
    left -= size + CHARS_PER_VALUE;
    if (left < 0) throw new Error("The result is too large");
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
    const names = Object.keys(value);
    for (const name of names) {
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

  function json(value: unknown, depth: number): JsonValue {
    if (depth > MAX_DEPTH) throw new Error(`The result must not be nested deeper than ${MAX_DEPTH} levels`);
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

  const converted = json(root, 0);
  if (typeof converted === "object" && converted !== null && converted === root) plain.add(converted);
  onRead?.(count);
  return converted;
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

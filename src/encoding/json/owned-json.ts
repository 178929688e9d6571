/** Takes values over from other code. */
import type { FieldError } from "../../errors.ts";
import {
  type JsonObject,
  type JsonValue,
  jsonProblem,
  MAX_DEPTH,
  pointer,
  scalarProblem,
  withoutUndefined,
} from "../../json.ts";
import { groupedDigits } from "../../messages/grouped-digits.ts";
import { MEBIBYTE } from "../bytes.ts";

/** A value as plain JSON that no other code changes, or why it is not plain JSON. */
export type OwnedJson =
  | { readonly value: JsonValue; readonly problem: null }
  | { readonly problem: FieldError; readonly isTooLong?: boolean };

/** Characters of JSON that a caller in process may pass. Other callers have the limit of bodies. */
const MAX_CHARS = 64 * MEBIBYTE;
/** Values from which on it is noted what was copied: few arguments have so many. */
const MANY_VALUES = 10_000;
/** Values that may be added by objects that occur repeatedly. Their copy is the same, but as JSON they are written each time. */
const MAX_REPEATED_VALUES = 1_000_000;

/** Checks a value that no other code has, such as a parsed body, without a copy of most of them. */
export function receivedJson(value: unknown): OwnedJson {
  const problem = jsonProblem(value);
  return problem === null ? { value: withoutUndefined(value) as JsonValue, problem } : { problem };
}

/** What was thrown is not shown: it may be anything, and reading it may fail, too. */
const UNREADABLE = "Must be plain JSON, not a value whose properties cannot be read.";

/** The state of one copy. */
interface Copying {
  /** Filled with the place of what is not JSON. */
  readonly path: (string | number)[];
  problem: string;
  readonly maxChars: number;
  /** Of JSON, at least. */
  chars: number;
  values: number;
  repeatedValues: number;
  /** Of the object that is being copied, or of what is in it. */
  deepest: number;
  /** By what they are copies of. Null while there are few values. */
  copies: Map<object, Copied> | null;
}

interface Copied {
  readonly copy: JsonValue;
  readonly values: number;
  readonly chars: number;
  /** Of nesting. */
  readonly levels: number;
}

/**
 * Copies a value from other code as frozen JSON, without properties that are `undefined`, which TypeScript callers use for
 * "omitted". Each property is read once: what was checked is what is kept, whatever getters return and whenever the other
 * code changes its object. Objects that refer to the same ones, level after level, don't take time for each way to them.
 */
export function ownedJson(root: unknown, maxChars = MAX_CHARS): OwnedJson {
  const copying: Copying = {
    path: [],
    problem: UNREADABLE,
    maxChars,
    ...{ chars: 0, values: 0, repeatedValues: 0, deepest: 0 },
    copies: null,
  };
  try {
    return { value: copied(root, 0, copying), problem: null };
  } catch {
    const { path, problem, chars } = copying;
    return {
      problem: { pointer: pointer(path.slice(0, MAX_DEPTH)), message: problem },
      isTooLong: chars > maxChars,
    };
  }
}

function refuse(copying: Copying, message: string): never {
  copying.problem = message;
  throw new Error(message);
}

function count(chars: number, copying: Copying): void {
  copying.chars += chars;
  if (copying.chars > copying.maxChars) {
    refuse(copying, `Must be at most ${groupedDigits(copying.maxChars)} characters of JSON.`);
  }
}

function copied(value: unknown, depth: number, copying: Copying): JsonValue {
  copying.values++;
  count(typeof value === "string" ? value.length + 2 : 1, copying);
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (depth > MAX_DEPTH) refuse(copying, TOO_DEEP);
  const problem = scalarProblem(value);
  if (problem !== null) refuse(copying, problem);
  if (typeof value === "number") return value + 0; // JSON has no -0
  return copiedOnce(Object(value), depth, copying);
}

const TOO_DEEP = `Must not be nested deeper than ${MAX_DEPTH} levels.`;

/** Copies an object, or finds its copy. */
function copiedOnce(object: Readonly<Record<string, unknown>>, depth: number, copying: Copying): JsonValue {
  const known = copying.copies?.get(object);
  if (known !== undefined) return repeated(known, depth, copying);
  const { values, chars, deepest } = copying;
  copying.deepest = depth;
  const copy = Array.isArray(object) ? copiedList(object, depth, copying) : copiedFields(object, depth, copying);
  if (copying.values > MANY_VALUES) {
    copying.copies ??= new Map();
    copying.copies.set(object, {
      copy,
      values: copying.values - values,
      chars: copying.chars - chars,
      levels: copying.deepest - depth,
    });
  }
  copying.deepest = Math.max(copying.deepest, deepest);
  return copy;
}

function repeated({ copy, values, chars, levels }: Copied, depth: number, copying: Copying): JsonValue {
  if (depth + levels > MAX_DEPTH) refuse(copying, TOO_DEEP);
  copying.repeatedValues += values;
  if (copying.repeatedValues > MAX_REPEATED_VALUES) {
    refuse(copying, `Must not repeat the same objects so often: their copies have more than a million values.`);
  }
  copying.values += values;
  count(chars, copying);
  copying.deepest = Math.max(copying.deepest, depth + levels);
  return copy;
}

function copiedList(list: readonly unknown[], depth: number, copying: Copying): JsonValue {
  const copy: JsonValue[] = [];
  try {
    for (const item of list) copy.push(copied(item, depth + 1, copying));
  } catch (error) {
    copying.path.unshift(copy.length);
    throw error;
  }
  Object.freeze(copy);
  return copy;
}

function copiedFields(object: Readonly<Record<string, unknown>>, depth: number, copying: Copying): JsonValue {
  const copy: JsonObject = {};
  let at = "";
  const keys = Object.keys(object);
  try {
    for (const key of keys) {
      at = key;
      if (key === "__proto__") refuse(copying, 'The key "__proto__" is not allowed.');
      const item = object[key];
      if (item === undefined) continue;
      count(key.length + 3, copying);
      copy[key] = copied(item, depth + 1, copying);
    }
  } catch (error) {
    copying.path.unshift(at);
    throw error;
  }
  return Object.freeze(copy);
}

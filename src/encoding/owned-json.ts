/** Takes values over from other code. */
import type { FieldError } from "../errors.ts";
import {
  type JsonObject,
  type JsonValue,
  jsonProblem,
  MAX_DEPTH,
  pointer,
  scalarProblem,
  withoutUndefined,
} from "../json.ts";

/** A value as plain JSON that no other code changes, or why it is not plain JSON. */
export type OwnedJson = { readonly value: JsonValue; readonly problem: null } | { readonly problem: FieldError };

/** Checks a value that no other code has, such as a parsed body, without a copy of most of them. */
export function receivedJson(value: unknown): OwnedJson {
  const problem = jsonProblem(value);
  return problem === null ? { value: withoutUndefined(value) as JsonValue, problem } : { problem };
}

/** What was thrown is not shown: it may be anything, and reading it may fail, too. */
const UNREADABLE = "Must be plain JSON, not a value whose properties cannot be read.";

/**
 * Copies a value from other code as frozen JSON, without properties that are `undefined`, which TypeScript callers use for
 * "omitted". Each property is read once: what was checked is what is kept, whatever getters return and whenever the other
 * code changes its object.
 */
export function ownedJson(root: unknown): OwnedJson {
  const path: (string | number)[] = [];
  try {
    return { value: copied(root, 0, path), problem: null };
  } catch (error) {
    const message = error instanceof NotJson ? error.message : UNREADABLE;
    return { problem: { pointer: pointer(path.slice(0, MAX_DEPTH)), message } };
  }
}

class NotJson extends Error {}

/** @param path Filled with the place of what is not JSON. */
function copied(value: unknown, depth: number, path: (string | number)[]): JsonValue {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (depth > MAX_DEPTH) throw new NotJson(`Must not be nested deeper than ${MAX_DEPTH} levels.`);
  const problem = scalarProblem(value);
  if (problem !== null) throw new NotJson(problem);
  if (typeof value === "number") return value;
  return Array.isArray(value) ? copiedList(value, depth, path) : copiedObject(Object(value), depth, path);
}

function copiedList(list: readonly unknown[], depth: number, path: (string | number)[]): JsonValue {
  const copy: JsonValue[] = [];
  try {
    for (const item of list) copy.push(copied(item, depth + 1, path));
  } catch (error) {
    path.unshift(copy.length);
    throw error;
  }
  Object.freeze(copy);
  return copy;
}

function copiedObject(object: Readonly<Record<string, unknown>>, depth: number, path: (string | number)[]): JsonValue {
  const copy: JsonObject = {};
  let at = "";
  const keys = Object.keys(object);
  try {
    for (const key of keys) {
      at = key;
      if (key === "__proto__") throw new NotJson('The key "__proto__" is not allowed.');
      const item = object[key];
      if (item !== undefined) copy[key] = copied(item, depth + 1, path);
    }
  } catch (error) {
    path.unshift(at);
    throw error;
  }
  return Object.freeze(copy);
}

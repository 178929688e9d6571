/** Paths into events: one name for each level. */
import * as v from "valibot";
import { isRecord, type JsonValue } from "../../json.ts";
import { list } from "../../schema.ts";

const MAX_LEVELS = 100;

const segment = v.pipe(
  v.string(),
  v.minLength(1, "Must not be empty."),
  v.maxLength(1_024, "Must have at most 1024 characters."),
);

/** Names of fields from the outside in. Digits select an item of a list, from 0. */
export const InputPath = v.pipe(
  list(segment),
  v.minLength(1, "Must have at least one name."),
  v.maxLength(MAX_LEVELS, `Must have at most ${MAX_LEVELS} names.`),
);

/** The value at a path; undefined if there is none. */
export function valueIn(value: JsonValue, path: readonly string[]): JsonValue | undefined {
  let found: JsonValue | undefined = value;
  for (const name of path) {
    if (Array.isArray(found)) found = /^\d{1,9}$/.test(name) ? found[Number(name)] : undefined;
    else if (isRecord(found) && Object.hasOwn(found, name)) found = found[name];
    else return undefined;
  }
  return found;
}

/** A step that is written as JSON while its fields are changed, too. Pure. */
import { isRecord, type JsonObject, type JsonValue, ownField } from "../../../../src/json.ts";
import type { Step } from "../../../../src/workflows/step.ts";

/** The server checks the rest, and its problems lead to the fields. */
export function isStep(value: unknown): value is Step {
  return isRecord(value) && typeof value["type"] === "string" && typeof value["key"] === "string";
}

/**
 * The step as it is, with the fields that were typed differently than they were before. The key changes by renaming, which
 * follows it through the workflow.
 * @returns Null for what is no step yet.
 */
export function mergedStep(before: JsonValue | undefined, typed: JsonValue | undefined, step: Step): JsonObject | null {
  if (!isObject(typed) || !isStep(typed)) return null;
  const now: JsonObject = JSON.parse(JSON.stringify(step)); // a step is JSON
  const old = isObject(before) ? before : {};
  const names = [...Object.keys(typed), ...Object.keys(now).filter((name) => !Object.hasOwn(typed, name))];
  const fields = names.flatMap((name): [string, JsonValue][] => {
    const own = ownField(typed, name);
    const isChanged = JSON.stringify(own) !== JSON.stringify(ownField(old, name));
    const value = name !== "key" && isChanged ? own : ownField(now, name);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(fields);
}

const isObject = (value: JsonValue | undefined): value is JsonObject => isRecord(value);

/** What a form gives that was filled with values: what a person has changed, and all else as it was given. Pure. */

import { fillForm } from "../../../../src/forms/model/fill-entry.ts";
import type { FormModel, Shape } from "../../../../src/forms/model/form-model.ts";
import type { Notation } from "../../../../src/forms/model/notation.ts";
import { readForm } from "../../../../src/forms/model/read-entry.ts";
import { isRecord, type JsonValue, ownField } from "../../../../src/json.ts";
import { isSameJson } from "../merging/same-json.ts";

/**
 * A form writes some values differently than they were given: it leaves out null, and gives what it shows for what is absent.
 * @param given What the form was filled with.
 * @param now What it gives.
 */
export function changedValues(model: FormModel, notation: Notation, given: JsonValue, now: JsonValue): JsonValue {
  const before = readForm(model, fillForm(model, given, notation), notation, { allowsUploads: true }).value;
  return changedWithin(model, before, now, given) ?? now;
}

function changedWithin(
  shape: Shape,
  before: JsonValue | undefined,
  now: JsonValue | undefined,
  given: JsonValue | undefined,
): JsonValue | undefined {
  if (shape.kind !== "object" || !isRecord(before) || !isRecord(now) || !isRecord(given))
    return isSameJson(before, now) ? given : now;
  const names = new Set([...Object.keys(given), ...Object.keys(now)]);
  const fields = [...names].map((name): [string, JsonValue | undefined] => {
    const inner = shape.fields.find(({ key }) => key === name)?.shape ?? shape.extra;
    return [name, changedWithin(inner, ownField(before, name), ownField(now, name), ownField(given, name))];
  });
  return Object.fromEntries(fields.filter((field): field is [string, JsonValue] => field[1] !== undefined));
}

/** A form that was filled with values gives back what nobody has changed as it was given. */
import { expect, it } from "vitest";
import { changedValues } from "../../adapters/console/app/forms/changed-values.ts";
import { fillForm } from "../../src/forms/model/fill-entry.ts";
import { inputModel } from "../../src/forms/model/input-model.ts";
import { createNotation } from "../../src/forms/model/notation.ts";
import { readForm } from "../../src/forms/model/read-entry.ts";
import type { JsonObject, JsonValue } from "../../src/json.ts";
import type { InputDefinition } from "../../src/workflows/input/input-field.ts";

const notation = createNotation("en");
const DEFINITION: InputDefinition = {
  text: { type: "string" },
  n: { type: "number", optional: true },
  at: { type: "datetime", optional: true },
  place: {
    type: "object",
    fields: { street: { type: "string", optional: true }, city: { type: "string", optional: true } },
    additional_fields: true,
  },
};

/** What is sent of a form that was filled with values, and in which a person writes others at a place. */
function sent(given: JsonObject, change: (now: JsonObject) => JsonObject, definition = DEFINITION): JsonValue {
  const model = inputModel(definition);
  const now = readForm(model, fillForm(model, given, notation), notation).value;
  return changedValues(model, notation, given, change(now as JsonObject)); // a form of fields gives an object
}

const GIVEN: JsonObject = {
  text: "a",
  n: null,
  at: "2026-11-28T10:00:00.123456+05:30",
  place: { street: null, city: "Rome", more: { deep: [null] } },
};

it("keeps null and the form of a moment beside a field that was changed", () => {
  expect(sent(GIVEN, (now) => ({ ...now, text: "b" }))).toEqual({ ...GIVEN, text: "b" });
});

it("keeps them beside a change in the same object, and takes away what was taken away", () => {
  const place = { street: null, more: { deep: [null] } };
  expect(sent(GIVEN, (now) => ({ ...now, place: { more: { deep: [null] } } }))).toEqual({ ...GIVEN, place });
});

it("is the same values if nothing was changed, without those that a form only shows", () => {
  const preset: InputDefinition = { ...DEFINITION, kind: { type: "string", optional: true, default: "x" } };
  expect(sent(GIVEN, (now) => now, preset)).toEqual(GIVEN);
});

it("keeps further values, of which the form of another version shows that it has no field for them", () => {
  const given = { ...GIVEN, gone: 1, empty: null };
  expect(sent(given, (now) => ({ ...now, text: "b" }))).toEqual({ ...given, text: "b" });
});

/** The values of a hook's payload that a step asks for. Pure. */
import { isRecord, type JsonObject, type JsonValue } from "../json.ts";
import { isAdditionalName } from "../workflows/field-options.ts";
import type { InputDefinition, InputField } from "../workflows/input/input-field.ts";

/** The fields of the payload that the step defines: senders may send more. */
export function pickFields(definition: InputDefinition, values: JsonObject): JsonObject {
  if (Object.keys(definition).length === 0) return values;
  return pickNamed(values, definition, false);
}

function pickNamed(
  values: JsonObject,
  definition: InputDefinition,
  additional: boolean | readonly string[],
): JsonObject {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      if (Object.hasOwn(definition, name)) return [[name, pickFromField(definition[name], value)]];
      return isAdditionalName(name, additional) ? [[name, value]] : [];
    }),
  );
}

function pickFromField(field: InputField | undefined, value: JsonValue): JsonValue {
  if (field?.type !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => (Array.isArray(item) ? item : pickFromField(field, item)));
  return isRecord(value) ? pickNamed(value as JsonObject, field.fields, field.additional_fields ?? false) : value; // part of a JSON value
}

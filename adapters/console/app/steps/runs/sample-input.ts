/** An input to begin a test with, where no run has given one: each field with a value of its type. Pure. */
import type { JsonObject, JsonValue } from "../../../../../src/json.ts";
import { defaultOf, type InputDefinition, type InputField } from "../../../../../src/workflows/input/input-field.ts";

/** Without files and connections, which only the app has, and without values that are set when the workflow is deployed. */
export function sampleInput(definition: InputDefinition): JsonObject {
  return Object.fromEntries(
    Object.entries(definition).flatMap(([name, field]) => {
      const one = field.config === true || defaultOf(field) !== undefined ? undefined : sampleOf(field);
      return one === undefined ? [] : [[name, field.array === true ? [one] : one]];
    }),
  );
}

function sampleOf(field: InputField): JsonValue | undefined {
  switch (field.type) {
    case "string":
      return listed(field) ?? (field.validation === "url" ? "https://example.com" : "text");
    case "number":
      return listed(field) ?? 1;
    case "boolean":
      return true;
    case "select":
      return field.options[0]?.value ?? listed(field);
    case "date":
      return "2027-01-31";
    case "time":
      return "09:30";
    case "datetime":
      return "2027-01-31T09:30:00Z";
    case "object":
      return sampleInput(field.fields);
    default:
      return undefined;
  }
}

function listed({ list = [] }: Pick<Extract<InputField, { type: "string" }>, "list">): string | number | undefined {
  const [first] = list;
  return typeof first === "object" ? first.value : first;
}

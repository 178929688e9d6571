/** Converts an input definition to JSON Schema, for models that call a workflow. Pure. */
import { type JsonObject, type JsonValue, omitUndefined } from "../../json.ts";
import { choicesOf } from "../field-options.ts";
import { defaultOf, type InputDefinition, type InputField } from "./input-field.ts";

/** Leaves out fields that a run does not accept: content and config fields. */
export function inputSchema(definition: InputDefinition): JsonObject {
  const fields = Object.entries(definition).filter(([, { type, config }]) => type !== "content" && config !== true);
  // A definition without fields accepts any object.
  if (Object.keys(definition).length === 0) return { type: "object", properties: {}, additionalProperties: true };
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(field)])),
    required: fields.filter(([, field]) => isRequired(field)).map(([name]) => name),
    additionalProperties: false,
  };
}

function isRequired(field: InputField): boolean {
  return field.optional !== true && defaultOf(field) === undefined;
}

function fieldSchema(field: InputField): JsonObject {
  const described = describe(field);
  return field.array === true
    ? { type: "array", items: valueSchema(field), ...described }
    : { ...valueSchema(field), ...described };
}

function describe({ name, desc }: InputField): JsonObject {
  return omitUndefined({ title: name, description: desc });
}

function valueSchema(field: InputField): JsonObject {
  switch (field.type) {
    case "number":
      return { type: "number", ...enumOf(field) };
    case "string":
      return omitUndefined({
        type: "string",
        format: field.validation === "url" ? "uri" : undefined,
        ...enumOf(field),
      });
    case "boolean":
      return { type: "boolean" };
    case "date":
      return { type: "string", format: "date" };
    case "datetime":
      return { type: "string", format: "date-time" };
    case "time":
      return { type: "string", format: "time" };
    case "select":
      return { type: "string", ...enumOf(field) };
    case "object":
      return {
        ...inputSchema(field.fields),
        additionalProperties: field.additional_fields !== undefined && field.additional_fields !== false,
      };
    case "file":
      return { type: "string", description: "Id of a file." };
    case "connection":
      return { type: "string", description: "Id of a connection." };
    case "content":
      return {};
  }
}

function enumOf(field: Parameters<typeof choicesOf>[0]): { enum?: JsonValue[] } {
  const values = choicesOf(field);
  return omitUndefined({ enum: values && [...values] });
}

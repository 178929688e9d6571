/** JSON Schemas of what steps give, as far as their definitions say it. Pure. */

import { isRecord, type JsonObject, omitUndefined, ownField } from "../../../../src/json.ts";
import type { ServiceInfo } from "../../../../src/services/service-info.ts";
import type { InputDefinition, InputField } from "../../../../src/workflows/input/input-field.ts";
import { inputSchema } from "../../../../src/workflows/input/json-schema.ts";
import { isForEach, type Step } from "../../../../src/workflows/step.ts";
import type { Definition } from "../../../../src/workflows/version.ts";

const FILE_FIELDS = { id: "string", name: "string", size: "number", mime_type: "string", sha256: "string" };
const FILE = objectOf(FILE_FIELDS);

const ERROR = objectOf({
  code: "string",
  message: "string",
  field: "string",
  attempts: "number",
  status: "number",
  headers: "object",
  body: null,
});
export const errorSchema: JsonObject = ERROR;

/** A step as expressions see it. */
export function stepSchema(step: Step, definition: Definition, services: readonly ServiceInfo[]): JsonObject {
  const output = outputSchema(step, definition, services);
  const properties: JsonObject = {
    output: isForEach(step) ? { type: "array", items: output } : output,
    status: { type: "string" },
    error: ERROR,
    attempts: { type: "integer" },
    started_at: { type: "string", format: "date-time" },
    finished_at: { type: "string", format: "date-time" },
  };
  if (isForEach(step)) properties["errors"] = { type: "array", items: ERROR };
  return { type: "object", properties };
}

function outputSchema(step: Step, { input }: Definition, services: readonly ServiceInfo[]): JsonObject {
  switch (step.type) {
    case "input":
      return valueSchema({ ...input, ...step.input });
    case "code":
      return step.output ?? {};
    case "http_request":
      return objectOf({ status: "number", headers: "object", body: null, file: FILE, mime_type: "string" });
    case "browser":
      return objectOf({ status: "number", url: "string", title: "string", content: "string" });
    case "branch":
      return objectOf({ taken: "string" });
    case "model":
      return modelSchema(step.provider.response_format?.schema);
    case "service": {
      const service = services.find(({ name }) => name === step.service.service);
      return service?.actions.find(({ name }) => name === step.service.action)?.output ?? {};
    }
    default:
      return {};
  }
}

function modelSchema(object: JsonObject | undefined): JsonObject {
  const all = { text: "string", finish_reason: "string", iterations: "number", tool_calls: "array", usage: "object" };
  return objectOf({ ...all, ...omitUndefined({ object }) });
}

/** The input of a run as steps read it: with files in place of their ids. */
export function valueSchema(definition: InputDefinition): JsonObject {
  const schema = inputSchema(definition);
  if (!isRecord(schema["properties"])) return schema;
  const properties = { ...schema["properties"] };
  for (const [name, field] of Object.entries(definition)) {
    if (field.type !== "content") properties[name] = fieldSchema(field, ownField(properties, name));
  }
  return { ...schema, properties };
}

function fieldSchema(field: InputField, otherwise: JsonObject[string] | undefined): JsonObject {
  const described = omitUndefined({ title: field.name, description: field.desc });
  if (field.type === "file") return { type: "array", items: fileSchema(field), ...described };
  if (field.type === "object") {
    const object = valueSchema(field.fields);
    return field.array === true ? { type: "array", items: object, ...described } : { ...object, ...described };
  }
  return isRecord(otherwise) ? otherwise : { ...inputFieldOf(field), ...described };
}

/** A file, with what steps also read of it. */
function fileSchema({ extract_contents, extract_images }: Extract<InputField, { type: "file" }>): JsonObject {
  return objectOf({
    ...FILE_FIELDS,
    ...omitUndefined({
      contents: extract_contents === true ? "string" : undefined,
      images: extract_images === true ? { type: "array", items: FILE } : undefined,
    }),
  });
}

/** Config fields are no part of the input of a run, but steps read them there. */
function inputFieldOf(field: InputField): JsonObject {
  const { config: _, ...plain } = field;
  const { properties } = inputSchema({ field: plain });
  return isRecord(properties) && isRecord(properties["field"]) ? properties["field"] : {};
}

function objectOf(fields: Readonly<Record<string, string | null | JsonObject>>): JsonObject {
  const properties = Object.entries(fields).map(([name, type]): [string, JsonObject] => [
    name,
    type === null ? {} : typeof type === "string" ? { type } : type,
  ]);
  return { type: "object", properties: Object.fromEntries(properties) };
}

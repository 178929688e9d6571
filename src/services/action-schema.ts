/** The input of an action as JSON Schema, for models and editors. */
import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { isRecord, type JsonObject, jsonProblem } from "../json.ts";

/** Null if the schema library cannot say. valibot can, and every library with Standard JSON Schema (zod 4.2, arktype). */
export async function jsonSchemaOf(schema: StandardSchemaV1): Promise<JsonObject | null> {
  try {
    const made = hasJsonSchema(schema)
      ? schema["~standard"].jsonSchema.input({ target: "draft-2020-12" })
      : await ofValibot(schema);
    if (!isRecord(made)) return null;
    const plain: unknown = JSON.parse(JSON.stringify(made));
    return isRecord(plain) && jsonProblem(plain) === null ? (plain as JsonObject) : null; // checked by jsonProblem
  } catch {
    return null; // JSON Schema cannot express it
  }
}

function hasJsonSchema(schema: StandardSchemaV1): schema is StandardSchemaV1 & StandardJSONSchemaV1 {
  const standard: object = schema["~standard"];
  return (
    "jsonSchema" in standard && isRecord(standard.jsonSchema) && typeof standard.jsonSchema["input"] === "function"
  );
}

/** Loaded once: a repeated import can take several turns of the event loop. */
let converter: Promise<typeof import("@valibot/to-json-schema")> | undefined;

async function ofValibot(schema: StandardSchemaV1): Promise<unknown> {
  if (schema["~standard"].vendor !== "valibot") return null;
  converter ??= import("@valibot/to-json-schema");
  const { toJsonSchema } = await converter;
  // What JSON Schema cannot express, such as a custom check, is omitted, because the action validates everything itself.
  return toJsonSchema(schema as Parameters<typeof toJsonSchema>[0], { errorMode: "ignore", typeMode: "input" });
}

/** The input of an action as JSON Schema, for those who must be told what it takes: models, and editors. */
import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { isRecord, type JsonObject, jsonProblem } from "../json.ts";

/** Null where its library does not say: valibot does, and whatever has Standard JSON Schema (zod 4.2, arktype). */
export async function jsonSchemaOf(schema: StandardSchemaV1): Promise<JsonObject | null> {
  try {
    const made = hasJsonSchema(schema)
      ? schema["~standard"].jsonSchema.input({ target: "draft-2020-12" })
      : await ofValibot(schema);
    if (!isRecord(made)) return null;
    const plain: unknown = JSON.parse(JSON.stringify(made));
    return isRecord(plain) && jsonProblem(plain) === null ? (plain as JsonObject) : null; // just looked through
  } catch {
    return null; // it holds what JSON Schema cannot say
  }
}

function hasJsonSchema(schema: StandardSchemaV1): schema is StandardSchemaV1 & StandardJSONSchemaV1 {
  const standard: object = schema["~standard"];
  return (
    "jsonSchema" in standard && isRecord(standard.jsonSchema) && typeof standard.jsonSchema["input"] === "function"
  );
}

async function ofValibot(schema: StandardSchemaV1): Promise<unknown> {
  if (schema["~standard"].vendor !== "valibot") return null;
  const { toJsonSchema } = await import("@valibot/to-json-schema");
  // What it cannot say, such as a check of one's own, is left out: the action checks all of it.
  return toJsonSchema(schema as Parameters<typeof toJsonSchema>[0], { errorMode: "ignore", typeMode: "input" });
}

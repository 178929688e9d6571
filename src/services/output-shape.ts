/** Which fields a value can have, as far as its schema says it. */
import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { isRecord } from "../json.ts";

/** The only fields that a value can have, with theirs; null for any. A value of another type than an object has none. */
export type Shape = ReadonlyMap<string, Shape> | null;

export const ANYTHING: Shape = null;

/** Levels of nesting that are read. A schema may contain itself. */
const MAX_DEPTH = 10;

/** The shape of values that a JSON Schema accepts. Other keywords than these can only accept fewer values. */
export function shapeOfSchema(schema: unknown, depth = 0): Shape {
  if (depth > MAX_DEPTH || !isRecord(schema)) return ANYTHING;
  const { additionalProperties, patternProperties, properties = {} } = schema;
  if (additionalProperties !== false || patternProperties !== undefined || !isRecord(properties)) return ANYTHING;
  return fieldsOf(properties, (property) => shapeOfSchema(property, depth + 1));
}

/** The shape of results that an action's schema has validated. */
export function outputShapeOf(schema: StandardSchemaV1): Shape {
  const standard = schema["~standard"];
  try {
    if (standard.vendor === "valibot") return shapeOfValibot(schema, 0);
    return hasJsonSchema(standard) ? shapeOfSchema(standard.jsonSchema.output({ target: "draft-2020-12" })) : ANYTHING;
  } catch {
    return ANYTHING; // JSON Schema cannot express it
  }
}

function hasJsonSchema(standard: object): standard is StandardJSONSchemaV1["~standard"] {
  return (
    "jsonSchema" in standard && isRecord(standard.jsonSchema) && typeof standard.jsonSchema["output"] === "function"
  );
}

/** Validated objects have only the entries of their schema: valibot leaves out or refuses others. JSON Schema cannot say that. */
function shapeOfValibot(schema: unknown, depth: number): Shape {
  if (depth > MAX_DEPTH || !isRecord(schema) || isConverted(schema)) return ANYTHING;
  const { type, entries, wrapped } = schema;
  if (wrapped !== undefined) return shapeOfValibot(wrapped, depth + 1);
  if ((type !== "object" && type !== "strict_object") || !isRecord(entries)) return ANYTHING;
  return fieldsOf(entries, (entry) => shapeOfValibot(entry, depth + 1));
}

/** Whether a pipe may change the value. */
function isConverted({ pipe }: Readonly<Record<string, unknown>>): boolean {
  if (!Array.isArray(pipe)) return false;
  return pipe
    .slice(1)
    .some((action) => !isRecord(action) || !["validation", "metadata"].includes(String(action["kind"])));
}

function fieldsOf(schemas: Readonly<Record<string, unknown>>, shapeOf: (schema: unknown) => Shape): Shape {
  return new Map(Object.entries(schemas).map(([name, schema]) => [name, shapeOf(schema)]));
}

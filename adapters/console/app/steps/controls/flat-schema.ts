/** JSON Schemas of objects with plain fields, as rows. Others are edited as JSON. Pure. */
import { isJsonObject, type JsonObject } from "../../../../../src/json.ts";

export const FIELD_TYPES = ["string", "number", "integer", "boolean", "array", "object"] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

export interface SchemaRow {
  readonly name: string;
  readonly type: FieldType;
  readonly description: string;
  readonly isRequired: boolean;
  /** The rest of the schema of the field. */
  readonly rest: JsonObject;
}

/** Null for a schema that rows cannot show. */
export function rowsOf(schema: JsonObject): readonly SchemaRow[] | null {
  const { type, properties, required = [] } = schema;
  if (type !== "object" || !isJsonObject(properties) || !Array.isArray(required)) return null;
  const rows: SchemaRow[] = [];
  for (const [name, field] of Object.entries(properties)) {
    if (!isJsonObject(field)) return null;
    const { type: given, description = "", ...rest } = field;
    const known = FIELD_TYPES.find((one) => one === given);
    if (known === undefined || typeof description !== "string") return null;
    rows.push({ name, type: known, description, isRequired: required.includes(name), rest });
  }
  return rows;
}

/** The same schema with other rows. */
export function withRows(schema: JsonObject, rows: readonly SchemaRow[]): JsonObject {
  const properties = rows.map(({ name, type, description, rest }): [string, JsonObject] => [
    name,
    description === "" ? { type, ...rest } : { type, description, ...rest },
  ]);
  const required = rows.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return { ...schema, properties: Object.fromEntries(properties), required };
}

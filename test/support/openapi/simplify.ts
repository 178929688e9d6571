/** Removes what says nothing from converted schemas. */
import { isRecord, type JsonObject, type JsonValue } from "../../../src/json.ts";

export function simplified(schema: JsonObject): JsonObject {
  const { $schema: _, ...rest } = schema;
  const entries = Object.entries(rest).map(([name, value]) => [name, simplifiedValue(name, value)] as const);
  const kept = Object.fromEntries(entries.filter(([name, value]) => !isEmpty(name, value)));
  // Some generators take an object without properties for one that has none.
  const isMap = kept["type"] === "object" && !("properties" in kept) && !("additionalProperties" in kept);
  return nullableType(isMap ? { ...kept, additionalProperties: true } : kept);
}

function simplifiedValue(name: string, value: JsonValue): JsonValue {
  if (name === "default" || name === "enum" || name === "examples" || name === "const") return value;
  if (Array.isArray(value)) return value.map((one) => (isRecord(one) ? simplified(one) : one));
  if (!isRecord(value)) return value;
  if (name === "properties") {
    return Object.fromEntries(Object.entries(value).map(([field, one]) => [field, simplified(one as JsonObject)]));
  }
  return simplified(value);
}

/** Without effect: no restriction, or one that all numbers and names of JSON meet. */
function isEmpty(name: string, value: JsonValue): boolean {
  const isAny = isRecord(value) && Object.keys(value).length === 0;
  switch (name) {
    case "required":
      return Array.isArray(value) && value.length === 0;
    case "properties":
    case "additionalProperties":
    case "items":
      return isAny;
    case "propertyNames":
      return JSON.stringify(value) === '{"type":"string"}';
    case "minimum":
      return value === Number.MIN_SAFE_INTEGER;
    case "maximum":
      return value === Number.MAX_SAFE_INTEGER;
    default:
      return false;
  }
}

/** `{ type: ["string", "null"] }` instead of two schemas. */
function nullableType(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [value, none] = anyOf;
  if (!isRecord(value) || !isRecord(none) || none["type"] !== "null" || typeof value["type"] !== "string")
    return schema;
  if (value["const"] !== undefined) return schema;
  const values = Array.isArray(value["enum"]) ? { enum: [...value["enum"], null] } : {};
  return { ...value, ...rest, type: [value["type"], "null"], ...values } as JsonObject;
}

/** What an argument is, by its JSON Schema. What no control can show is edited as JSON. Pure. */
import { isRecord, type JsonObject, type JsonValue } from "../../../../../src/json.ts";

export type ArgumentShape =
  | { readonly kind: "text"; readonly isLong: boolean }
  | { readonly kind: "number" }
  | { readonly kind: "boolean" }
  | { readonly kind: "choice"; readonly values: readonly (string | number | boolean | null)[] }
  | { readonly kind: "object"; readonly fields: readonly ArgumentField[]; readonly isOpen: boolean }
  | { readonly kind: "list"; readonly item: JsonObject }
  | { readonly kind: "json" };

export interface ArgumentField {
  readonly name: string;
  readonly schema: JsonObject;
  readonly isRequired: boolean;
}

/** Levels of objects within objects that have controls of their own. */
const MAX_DEPTH = 4;

export function shapeOf(schema: JsonObject, depth = 0): ArgumentShape {
  const plain = withoutNull(schema);
  const values = choicesOf(plain);
  if (values !== null) return { kind: "choice", values };
  const { type, format, contentMediaType } = plain;
  if (type === "string") return { kind: "text", isLong: format === undefined && isLongText(plain, contentMediaType) };
  if (type === "number" || type === "integer") return { kind: "number" };
  if (type === "boolean") return { kind: "boolean" };
  if (type === "object" && depth < MAX_DEPTH && isRecord(plain["properties"])) {
    return { kind: "object", fields: fieldsOf(plain), isOpen: plain["additionalProperties"] !== false };
  }
  const { items } = plain;
  if (type === "array" && depth < MAX_DEPTH && isObject(items) && shapeOf(items, depth + 1).kind !== "json") {
    return { kind: "list", item: items };
  }
  return { kind: "json" };
}

/** The fields that a schema of an object names. Empty if it names none. */
export function fieldsOf({ properties, required }: JsonObject): readonly ArgumentField[] {
  if (!isObject(properties)) return [];
  const names: readonly JsonValue[] = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema: isObject(schema) ? schema : {},
    isRequired: names.includes(name),
  }));
}

/** `anyOf` with null is an optional value: leaving it out says the same. */
function withoutNull(schema: JsonObject): JsonObject {
  const options = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(schema["type"])) {
    const types = schema["type"].filter((one) => one !== "null");
    return types.length === 1 && types[0] !== undefined ? { ...schema, type: types[0] } : schema;
  }
  if (!Array.isArray(options)) return schema;
  const others = options.filter((one) => !(isObject(one) && one["type"] === "null"));
  const [only] = others;
  return others.length === 1 && isObject(only) ? { ...schema, ...only } : schema;
}

function choicesOf(schema: JsonObject): readonly (string | number | boolean | null)[] | null {
  const { enum: values, const: only, anyOf, oneOf } = schema;
  if (only !== undefined && !isComposed(only)) return [only];
  if (Array.isArray(values)) return scalars(values);
  const options = anyOf ?? oneOf;
  if (!Array.isArray(options)) return null;
  const constants = options.map((one) => (isObject(one) ? one["const"] : undefined));
  return constants.every((one) => one !== undefined) ? scalars(constants.flatMap((one) => one ?? [])) : null;
}

function scalars(values: readonly JsonValue[]) {
  const plain = values.flatMap((one) => (isComposed(one) ? [] : [one]));
  return plain.length === values.length && plain.length > 0 ? plain : null;
}

/** Shorter ones fit into a line. */
const LONG_CHARS = 500;
const LONG_NAMES = /\b(?:text|body|html|markdown|message|content|description|prompt)\b/i;

function isLongText({ maxLength, title, description }: JsonObject, mediaType: JsonValue | undefined): boolean {
  if (typeof mediaType === "string") return true;
  if (typeof maxLength === "number" && maxLength < LONG_CHARS) return false;
  return (
    LONG_NAMES.test(`${String(title ?? "")} ${String(description ?? "")}`) &&
    !/\bur[il]\b/i.test(String(description ?? ""))
  );
}

const isObject = (value: JsonValue | undefined): value is JsonObject => isRecord(value);
const isComposed = (value: JsonValue): value is JsonObject | JsonValue[] => typeof value === "object" && value !== null;

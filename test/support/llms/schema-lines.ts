/** The schemas of openapi.json as lines of text, one for each field. */
import { isRecord } from "../../../src/json.ts";

export type Schemas = Readonly<Record<string, unknown>>;

const REFERENCE = "#/components/schemas/";

/** `- name?: type. Description.` for each field of the object, and of the objects that it includes. */
export function fieldLines(schemas: Schemas, name: string): readonly string[] {
  const schema = objectAt(schemas[name]);
  return linesOf(schema, "");
}

function linesOf(schema: Readonly<Record<string, unknown>>, indentation: string): readonly string[] {
  const required = new Set(listAt(schema["required"]));
  return Object.entries(objectAt(schema["properties"])).map(([field, value]) => {
    const given = objectAt(value);
    const optional = required.has(field) ? "" : "?";
    const text = [typeOf(given), defaultOf(given), textOf(given)].filter(Boolean).join(". ");
    const inner = given["additionalProperties"]
      ? objectAt(given["additionalProperties"])
      : objectAt(given["items"] ?? given);
    return [`${indentation}- \`${field}${optional}\`: ${text}`, ...linesOf(inner, `${indentation}  `)].join("\n");
  });
}

/** The names of the schemas that a schema refers to, and that these refer to. */
export function namesIn(schemas: Schemas, value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(value)) for (const one of value) namesIn(schemas, one, found);
  else if (isRecord(value)) {
    for (const [key, one] of Object.entries(value)) {
      const name = nameOf(one);
      if (key !== "$ref") namesIn(schemas, one, found);
      else if (!found.has(name)) namesIn(schemas, schemas[name], found.add(name));
    }
  }
  return found;
}

/** The description of a schema, in one line. */
export const textOf = (schema: unknown): string => String(objectAt(schema)["description"] ?? "").replace(/\s+/g, " ");

/** The schemas that a schema is one of. */
export const variantsOf = (schema: unknown): readonly string[] =>
  listAt(objectAt(schema)["oneOf"]).map((variant) => nameOf(objectAt(variant)["$ref"]));

const nameOf = (reference: unknown) => String(reference).slice(REFERENCE.length);

function defaultOf(schema: Readonly<Record<string, unknown>>): string {
  const value = schema["default"];
  return value === undefined ? "" : `Default ${JSON.stringify(value)}`;
}

function typeOf(schema: Readonly<Record<string, unknown>>): string {
  const { $ref, const: constant, enum: values, type, items, anyOf, oneOf } = schema;
  if ($ref !== undefined) return nameOf($ref);
  if (constant !== undefined) return JSON.stringify(constant);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(" or ");
  const variants = [...listAt(anyOf), ...listAt(oneOf)];
  if (variants.length > 0) return [...new Set(variants.map((variant) => typeOf(objectAt(variant))))].join(" or ");
  if (type === "array") return `list of ${typeOf(objectAt(items))}`;
  return Array.isArray(type) ? type.join(" or ") : String(type ?? "any JSON");
}

const objectAt = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});
const listAt = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Moves the fields that all variants have in common into a component of their own: nine step types share twelve fields. */
import { isRecord, type JsonObject } from "../../../src/json.ts";

type Components = Readonly<Record<string, JsonObject>>;

const nameOf = (reference: unknown) => (typeof reference === "string" ? (reference.split("/").at(-1) ?? "") : "");

/** Fewer shared fields are not worth another component. */
const MIN_FIELDS = 3;

export function shareFields(components: Components): Components {
  let shared: Components = components;
  for (const [name, { discriminator }] of Object.entries(components)) {
    if (!isRecord(discriminator) || !isRecord(discriminator["mapping"])) continue;
    shared = withBase(shared, `${name}Base`, Object.values(discriminator["mapping"]).map(nameOf));
  }
  return shared;
}

function withBase(components: Components, base: string, variants: readonly string[]): Components {
  const fields = variants.map((name) => fieldsOf(components[name]));
  const [first = {}] = fields;
  const common = Object.keys(first).filter((field) =>
    fields.every((some) => JSON.stringify(some[field]) === JSON.stringify(first[field])),
  );
  if (common.length < MIN_FIELDS) return components;
  const isCommon = (field: unknown) => common.includes(String(field));
  const required = requiredOf(components[variants[0] ?? ""]).filter(isCommon);
  const changed = variants.map((name): [string, JsonObject] => {
    const { properties: _, required: all, additionalProperties, description, ...rest } = components[name] ?? {};
    const own = Object.entries(fieldsOf(components[name])).filter(([field]) => !isCommon(field));
    const needed = requiredOf(components[name]).filter((field) => !isCommon(field));
    return [
      name,
      {
        ...(description === undefined ? {} : { description }),
        ...rest,
        allOf: [{ $ref: `#/components/schemas/${base}` }],
        properties: Object.fromEntries(own),
        ...(needed.length === 0 ? {} : { required: needed }),
        ...(additionalProperties === false ? { unevaluatedProperties: false } : {}),
      },
    ];
  });
  const properties = Object.fromEntries(Object.entries(first).filter(([field]) => isCommon(field)));
  const description = "The fields that all types have.";
  return {
    ...components,
    ...Object.fromEntries(changed),
    [base]: { description, type: "object", properties, ...(required.length === 0 ? {} : { required }) },
  };
}

function fieldsOf(schema: JsonObject | undefined): JsonObject {
  return isRecord(schema?.["properties"]) ? (schema["properties"] as JsonObject) : {};
}

function requiredOf(schema: JsonObject | undefined): string[] {
  return Array.isArray(schema?.["required"]) ? schema["required"].map(String) : [];
}

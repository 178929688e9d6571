/** The alternatives of a JSON Schema (`oneOf`, `anyOf`, several types), as schemas with names. Pure. */
import { isRecord, ownField } from "../../json.ts";
import type { Choice } from "./form-model.ts";
import { choicesOf, constantOf, isChoosable, merged, resolved, type Schema, textOf } from "./schema-parts.ts";

export interface Alternative {
  readonly schema: Schema;
  readonly label: string | null;
  readonly desc: string | null;
}

/** Keywords that say what a value is, not only which of its kind are accepted. */
const FORMS = ["type", "properties", "items", "enum", "const", "$ref", "oneOf", "anyOf", "allOf", "format"];

/** Null for a schema without alternatives, and for one whose alternatives say too much to be shown as such. */
export function alternativesOf(schema: Schema, root: Schema): readonly Alternative[] | null {
  const { oneOf, anyOf, discriminator, type, ...rest } = schema;
  if (Array.isArray(type)) return typesOf(schema, type);
  const given: unknown = oneOf ?? anyOf;
  if (!Array.isArray(given) || given.length === 0 || (oneOf !== undefined && anyOf !== undefined)) return null;
  const named = isRecord(discriminator) ? discriminator : {};
  const base = type === undefined ? rest : { ...rest, type };
  const found = given.flatMap((one: unknown) => {
    const own = resolved(one, root);
    if (own === null) return [];
    const reference = isRecord(one) ? textOf(one["$ref"]) : null;
    const whole = merged(base, withDiscriminator(own, reference, named));
    return whole === null ? [] : [{ own, reference, whole }];
  });
  if (found.length < given.length) return null;
  const key = discriminatorOf(
    found.map(({ whole }) => whole),
    textOf(named["propertyName"]),
  );
  return found.map(({ own, reference, whole }): Alternative => {
    const property = key === null ? {} : propertyOf(whole, key);
    const value = constantOf(key === null ? own : property);
    return {
      schema: whole,
      label:
        textOf(own["title"]) ??
        textOf(property["title"]) ??
        (isChoosable(value) ? String(value) : (reference?.split("/").at(-1) ?? null)),
      desc: textOf(own["description"]) ?? textOf(property["description"]),
    };
  });
}

function typesOf(schema: Schema, types: readonly unknown[]): readonly Alternative[] {
  return types.map((type) => ({ schema: { ...schema, type }, label: null, desc: null }));
}

/** Whether the alternatives only say which fields belong together: then the rest of the schema is the form. */
export function areRestrictions({ oneOf, anyOf }: Schema): boolean {
  const given: unknown = oneOf ?? anyOf;
  return Array.isArray(given) && given.every((one) => isRecord(one) && FORMS.every((name) => one[name] === undefined));
}

/** OpenAPI names the value of each alternative beside them, or by the name of the schema. */
function withDiscriminator(own: Schema, reference: string | null, { propertyName, mapping }: Schema): Schema {
  const name = reference?.split("/").at(-1);
  if (typeof propertyName !== "string" || name === undefined) return own;
  const property = propertyOf(own, propertyName);
  if (constantOf(property) !== undefined) return own;
  const mapped = isRecord(mapping)
    ? Object.keys(mapping).find((key) => mapping[key] === reference || mapping[key] === name)
    : undefined;
  const properties = isRecord(own["properties"]) ? own["properties"] : {};
  const required: readonly unknown[] = Array.isArray(own["required"]) ? own["required"] : [];
  return {
    ...own,
    properties: { ...properties, [propertyName]: { ...property, const: mapped ?? name } },
    required: [...required, propertyName],
  };
}

/** The property that has another constant in each alternative. */
function discriminatorOf(alternatives: readonly Schema[], named: string | null): string | null {
  const [first] = alternatives;
  const candidates = named === null ? Object.keys(propertiesOf(first)) : [named];
  const found = candidates.find((key) => {
    const values = alternatives.map((one) => constantOf(propertyOf(one, key)));
    return values.every(isChoosable) && new Set(values).size === values.length;
  });
  return found ?? null;
}

function propertiesOf(schema: Schema | undefined): Schema {
  const properties = schema?.["properties"];
  return isRecord(properties) ? properties : {};
}

function propertyOf(schema: Schema, key: string): Schema {
  const properties = propertiesOf(schema);
  const property = ownField(properties, key);
  return isRecord(property) ? property : {};
}

/** Texts of which some are offered and all are accepted: `anyOf` of constants and any text. Null for anything else. */
export function suggestionsOf({ anyOf, oneOf }: Schema): readonly Choice[] | null {
  const given: unknown = anyOf ?? oneOf;
  if (!Array.isArray(given)) return null;
  const isAnyText = (one: unknown) => isRecord(one) && Object.keys(one).join() === "type" && one["type"] === "string";
  const others = given.filter((one) => !isAnyText(one));
  if (others.length === 0 || others.length === given.length) return null;
  const offered = others.map((one) => (isRecord(one) ? choicesOf("const" in one ? { oneOf: [one] } : one) : null));
  if (offered.includes(null)) return null;
  const choices = offered.flatMap((one) => one ?? []);
  return choices.every(({ value }) => typeof value === "string") ? choices : null;
}

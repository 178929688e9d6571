/** The vocabulary of a valibot schema (fields, variants, enum values), and which of it a value uses. */
import type { GenericSchema } from "valibot";
import * as v from "valibot";
import { isRecord } from "../../../src/json.ts";

/** Names by schema, so that a schema that several types share counts once. */
type Offered = Map<object, Map<string, string>>;

/** The whole vocabulary of a schema. */
export function offeredBy(schema: GenericSchema): { readonly all: readonly string[]; used(value: unknown): string[] } {
  const offered: Offered = new Map();
  collect(schema, "", offered);
  const all = [...offered.values()].flatMap((names) => [...names.values()]);
  return {
    all,
    used(value) {
      const used: string[] = [];
      walk(schema, value, (at, name) => used.push(offered.get(at)?.get(name) ?? `unknown ${name}`));
      return used;
    },
  };
}

function collect(schema: GenericSchema, path: string, offered: Offered): void {
  const offers = (at: object, name: string, label: string): boolean => {
    const names = offered.get(at) ?? new Map<string, string>();
    offered.set(at, names);
    const isNew = !names.has(name);
    if (isNew) names.set(name, label);
    return isNew;
  };
  for (const [name, field] of fieldsOf(schema)) {
    if (offers(field, "field", `${path}.${name}`)) collect(field, `${path}.${name}`, offered);
  }
  for (const value of choicesOf(schema)) offers(schema, value, `${path}=${value}`);
  for (const [index, form] of formsOf(schema).entries()) {
    const name = kindOf(form) ?? String(index);
    if (offers(schema, name, `${path}(${name})`)) collect(form, `${path}(${name})`, offered);
  }
  for (const inner of innerOf(schema)) collect(inner, path, offered);
}

function walk(schema: GenericSchema, value: unknown, use: (at: object, name: string) => void): void {
  if (value === null || value === undefined) return;
  for (const [name, field] of fieldsOf(schema)) {
    const given = isRecord(value) ? value[name] : undefined;
    if (given === undefined) continue;
    use(field, "field");
    walk(field, given, use);
  }
  if (choicesOf(schema).includes(String(value))) use(schema, String(value));
  const forms = formsOf(schema);
  const taken = forms.findIndex((form) => v.is(form, value));
  const form = forms[taken];
  if (form !== undefined) {
    use(schema, kindOf(form) ?? String(taken));
    walk(form, value, use);
  }
  for (const inner of innerOf(schema)) for (const item of itemsOf(schema, value)) walk(inner, item, use);
}

/** The parts of a value for each inner schema: items of an array, values of a map, or the whole value. */
function itemsOf(schema: GenericSchema, value: unknown): readonly unknown[] {
  if (schema.type === "array" && Array.isArray(value)) return value;
  return isMap(schema) && isRecord(value) ? Object.values(value) : [value];
}

/** The fields of an object. */
function fieldsOf(schema: GenericSchema): [string, GenericSchema][] {
  return "entries" in schema && isRecord(schema.entries)
    ? Object.entries(schema.entries).filter((entry): entry is [string, GenericSchema] => isSchema(entry[1]))
    : [];
}

/** The values of a picklist. */
function choicesOf(schema: GenericSchema): string[] {
  return schema.type === "picklist" && "options" in schema && Array.isArray(schema.options)
    ? schema.options.map(String)
    : [];
}

/** The schemas of a union or variant. */
function formsOf(schema: GenericSchema): GenericSchema[] {
  const hasForms = schema.type === "variant" || schema.type === "union";
  return hasForms && "options" in schema && Array.isArray(schema.options) ? schema.options.filter(isSchema) : [];
}

/** The discriminant of a variant. */
function kindOf(form: GenericSchema): string | undefined {
  const type = fieldsOf(form).find(([name]) => name === "type")?.[1];
  return type !== undefined && "literal" in type ? String(type.literal) : undefined;
}

/** The inner schema of an array, a map or an optional value. */
function innerOf(schema: GenericSchema): GenericSchema[] {
  const inner = [
    "item" in schema ? schema.item : null,
    isMap(schema) && "value" in schema ? schema.value : null,
    "wrapped" in schema ? schema.wrapped : null,
    schema.type === "lazy" && "getter" in schema && typeof schema.getter === "function" ? schema.getter() : null,
  ];
  return inner.filter(isSchema);
}

const isMap = ({ type }: GenericSchema) => type === "record";

function isSchema(value: unknown): value is GenericSchema {
  return isRecord(value) && value["kind"] === "schema";
}

/** Reads the keywords of a JSON Schema: references, what is merged, what may be null, and single values. Pure. */

import { pointerName } from "../../encoding/json-pointer.ts";
import { isRecord, omitUndefined } from "../../json.ts";
import type { Choice } from "./form-model.ts";

export type Schema = Readonly<Record<string, unknown>>;

/** References that lead to each other. */
const MAX_HOPS = 12;

/** Follows references within the document. Null for a schema that says nothing, or refers elsewhere. */
export function resolved(given: unknown, root: Schema): Schema | null {
  let schema = given;
  for (let hops = 0; hops < MAX_HOPS; hops++) {
    if (!isRecord(schema)) return null;
    const { $ref, ...beside } = schema;
    if (typeof $ref !== "string") return withAllOf(schema, root);
    const target = $ref === "#" ? root : $ref.startsWith("#/") ? partOf(root, $ref) : null;
    if (!isRecord(target)) return null;
    schema = { ...target, ...beside };
  }
  return null;
}

function partOf(root: Schema, reference: string): unknown {
  let target: unknown = root;
  for (const part of reference.slice(2).split("/")) {
    const key = pointerName(decoded(part));
    target = isRecord(target) && Object.hasOwn(target, key) ? target[key] : undefined;
  }
  return target;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A schema in which `allOf` is one with the rest, where that is simple. */
function withAllOf(schema: Schema, root: Schema): Schema {
  const { allOf, ...rest } = schema;
  if (!Array.isArray(allOf)) return schema;
  let whole: Schema | null = rest;
  for (const one of allOf) {
    const part = resolved(one, root);
    whole = whole === null || part === null ? null : merged(whole, part);
  }
  return whole ?? schema;
}

/** What two schemas say together. Null if no single schema of the simple kind says it. */
export function merged(one: Schema, other: Schema): Schema | null {
  const type = mergedType(one["type"], other["type"]);
  const areTwoChoices = ["oneOf", "anyOf", "allOf"].some((name) => name in one && name in other);
  if (type === null || areTwoChoices) return null;
  const properties = mergedProperties(one["properties"], other["properties"]);
  const needed = [one["required"], other["required"]].flatMap((names: unknown) => (Array.isArray(names) ? names : []));
  const isClosed = one["additionalProperties"] === false || other["additionalProperties"] === false;
  const both = omitUndefined({
    type,
    properties,
    required: needed.length === 0 ? undefined : [...new Set(needed)],
    additionalProperties: isClosed ? false : undefined,
  });
  return { ...one, ...other, ...both };
}

/** Undefined if nothing is said; null for two types that exclude each other. */
function mergedType(one: unknown, other: unknown): unknown {
  if (one === undefined || other === undefined || JSON.stringify(one) === JSON.stringify(other)) return one ?? other;
  const isNumeric = (type: unknown) => type === "integer" || type === "number";
  return isNumeric(one) && isNumeric(other) ? "integer" : null;
}

function mergedProperties(one: unknown, other: unknown): Schema | undefined {
  if (!isRecord(one)) return isRecord(other) ? other : undefined;
  if (!isRecord(other)) return one;
  const both = Object.entries(other).map(([key, schema]): [string, unknown] => {
    const before = Object.hasOwn(one, key) ? one[key] : undefined;
    return [key, isRecord(before) && isRecord(schema) ? { ...before, ...schema } : schema];
  });
  return { ...one, ...Object.fromEntries(both) };
}

/** Splits "or null" off, however a schema says it. */
export function withoutNull(schema: Schema): { readonly schema: Schema; readonly isNullable: boolean } {
  const { type, enum: values } = schema;
  if (Array.isArray(type) && type.includes("null")) {
    const others = type.filter((one) => one !== "null");
    const rest = Array.isArray(values) ? { ...schema, enum: values.filter((value) => value !== null) } : schema;
    return { schema: { ...rest, type: others.length === 1 ? others[0] : others }, isNullable: true };
  }
  if (Array.isArray(values) && values.length > 1 && values.includes(null)) {
    return { schema: { ...schema, enum: values.filter((value) => value !== null) }, isNullable: true };
  }
  for (const name of ["anyOf", "oneOf"]) {
    const { [name]: alternatives, ...beside } = schema;
    if (!Array.isArray(alternatives)) continue;
    const others = alternatives.filter((one) => !isNull(one));
    const [only] = others;
    if (others.length === alternatives.length || others.length === 0) continue;
    if (others.length === 1 && isRecord(only)) return { schema: { ...beside, ...only }, isNullable: true };
    return { schema: { ...beside, [name]: others }, isNullable: true };
  }
  return { schema, isNullable: schema["nullable"] === true };
}

const isNull = (one: unknown) => isRecord(one) && (one["type"] === "null" || ("const" in one && one["const"] === null));

/** `enum`, or alternatives that are single values, possibly with titles. */
export function choicesOf(schema: Schema): Choice[] | null {
  const { enum: values, anyOf, oneOf } = schema;
  if (Array.isArray(values)) return plainChoices(values.map((value) => ({ const: value })));
  const alternatives = oneOf ?? anyOf;
  return Array.isArray(alternatives) ? plainChoices(alternatives) : null;
}

function plainChoices(alternatives: readonly unknown[]): Choice[] | null {
  const found = alternatives.flatMap((one): Choice[] => {
    const value = isRecord(one) ? one["const"] : undefined;
    if (!isRecord(one) || !isChoosable(value)) return [];
    return [{ value, label: textOf(one["title"]) ?? String(value), desc: textOf(one["description"]) }];
  });
  return found.length === alternatives.length && found.length > 0 ? found : null;
}

export const isChoosable = (value: unknown): value is Choice["value"] =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

/** The only value that a schema accepts; undefined if there are others. */
export function constantOf({ const: only, enum: values, type }: Schema): unknown {
  if (only !== undefined) return only;
  if (type === "null") return null;
  return Array.isArray(values) && values.length === 1 ? values[0] : undefined;
}

export const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

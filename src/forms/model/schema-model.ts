/**
 * The form of a JSON Schema, as services, connections and steps describe their values: objects, lists, texts, numbers,
 * booleans and choices. What else a schema says becomes JSON. Pure.
 */
import { isRecord, type JsonObject, type JsonValue } from "../../json.ts";
import {
  type AdditionalNames,
  type Choice,
  type FormModel,
  MAX_RADIO_BUTTONS,
  type ModelField,
  type Shape,
  type TextShape,
} from "./form-model.ts";

/** Levels of a schema. A recursive one ends as JSON. */
const MAX_LEVELS = 12;

type Schema = Readonly<Record<string, unknown>>;
interface Within {
  readonly root: Schema;
  readonly level: number;
}

const JSON_SHAPE = { kind: "json" } as const;
/** A text that may be longer is shown in several lines. */
const MAX_LINE_CHARS = 1_000;

/** @param schema Null if nothing is known. */
export function schemaModel(schema: JsonObject | null): FormModel {
  if (schema === null) return JSON_SHAPE;
  const shape = shapeOf(schema, { root: schema, level: 0 });
  return shape.kind === "object" ? shape : JSON_SHAPE;
}

function shapeOf(given: unknown, { root, level }: Within): Shape {
  const schema = resolved(given, root);
  if (schema === null || level > MAX_LEVELS) return JSON_SHAPE;
  const within = { root, level: level + 1 };
  const choices = choicesOf(schema);
  if (choices !== null) {
    return { kind: "choice", choices, look: choices.length <= MAX_RADIO_BUTTONS ? "radio" : "dropdown" };
  }
  if (UNSHOWN.some((name) => schema[name] !== undefined)) return JSON_SHAPE;
  switch (schema["type"]) {
    case "string":
      return stringShape(schema);
    case "number":
    case "integer":
      return { kind: "number", isWhole: schema["type"] === "integer" };
    case "boolean":
      return { kind: "boolean", hasThirdState: false };
    case "array":
      return schema["prefixItems"] === undefined && isRecord(schema["items"])
        ? { kind: "list", item: shapeOf(schema["items"], within) }
        : JSON_SHAPE;
    case "object":
      return objectShape(schema, within);
    default:
      return JSON_SHAPE;
  }
}

/** Keywords that combine schemas, or depend on other values. */
const UNSHOWN = [
  "anyOf",
  "oneOf",
  "allOf",
  "not",
  "if",
  "$ref",
  "$dynamicRef",
  "patternProperties",
  "dependentSchemas",
];

const TEXT_LOOKS: Readonly<Record<string, TextShape["look"]>> = {
  uri: "url",
  url: "url",
  email: "email",
  password: "secret",
};

function stringShape(schema: Schema): Shape {
  const { format, maxLength, writeOnly, contentMediaType } = schema;
  if (format === "date") return { kind: "date" };
  if (format === "date-time") return { kind: "datetime" };
  const isLong = contentMediaType !== undefined || (typeof maxLength === "number" && maxLength > MAX_LINE_CHARS);
  const look = (typeof format === "string" ? TEXT_LOOKS[format] : undefined) ?? (isLong ? "lines" : "grows");
  return { kind: "text", look: writeOnly === true ? "secret" : look, suggestions: [] };
}

function objectShape(schema: Schema, within: Within): Shape {
  const { properties = {}, required = [], additionalProperties = true } = schema;
  if (!isRecord(properties)) return JSON_SHAPE;
  const needed = new Set(Array.isArray(required) ? required : []);
  const names = Object.keys(properties);
  // Further values may be of any kind, so their schema says nothing that a control shows.
  const additional: AdditionalNames = additionalProperties !== false;
  if (names.length === 0) return additional ? JSON_SHAPE : { kind: "object", fields: [], additional };
  const fields = names.map((key) => modelField(key, properties[key], !needed.has(key), within));
  return { kind: "object", fields, additional };
}

function modelField(key: string, given: unknown, isOptional: boolean, within: Within): ModelField {
  const plain = resolved(given, within.root) ?? {};
  const { schema, isNullable } = withoutNull(plain);
  const own = { ...(resolved(schema, within.root) ?? {}), ...described(plain) };
  const preset = isJson(own["default"]) ? own["default"] : undefined;
  const shape = shapeOf(schema, within);
  const canBeEmpty = isOptional || isNullable;
  return {
    key,
    label: textOf(own["title"]) ?? key,
    desc: textOf(own["description"]),
    link: null,
    placeholder: placeholderOf(own["examples"]),
    isOptional: canBeEmpty,
    isHidden: false,
    isInline: false,
    width: "full",
    preset: preset === null ? undefined : preset,
    empty: isNullable && !isOptional ? "null" : "omitted",
    shape: shape.kind === "boolean" ? { ...shape, hasThirdState: canBeEmpty && typeof preset !== "boolean" } : shape,
  };
}

/** What stands beside a reference, or beside the alternatives of a value that may be null. */
function described({ title, description, examples, default: preset }: Schema): Schema {
  const found = { title, description, examples, default: preset };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** Splits "or null" off, however a schema says it. */
function withoutNull(schema: Schema): { readonly schema: Schema; readonly isNullable: boolean } {
  const { type, anyOf, oneOf, nullable } = schema;
  if (Array.isArray(type) && type.includes("null")) {
    const others = type.filter((one) => one !== "null");
    const { enum: values } = schema;
    const rest = Array.isArray(values) ? { ...schema, enum: values.filter((value) => value !== null) } : schema;
    return { schema: { ...rest, type: others.length === 1 ? others[0] : others }, isNullable: true };
  }
  const alternatives = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : null;
  if (alternatives !== null) {
    const others = alternatives.filter((one) => !isNull(one));
    const [only] = others;
    if (others.length < alternatives.length && others.length === 1 && isRecord(only)) {
      return { schema: only, isNullable: true };
    }
  }
  return { schema, isNullable: nullable === true };
}

const isNull = (one: unknown) => isRecord(one) && (one["type"] === "null" || ("const" in one && one["const"] === null));

/** Follows references within the document. Null for a schema that says nothing, or refers elsewhere. */
function resolved(given: unknown, root: Schema): Schema | null {
  let schema = given;
  for (let hops = 0; hops < MAX_LEVELS; hops++) {
    if (!isRecord(schema)) return null;
    const { $ref, ...beside } = schema;
    if (typeof $ref !== "string") return schema;
    if (!$ref.startsWith("#/")) return null;
    let target: unknown = root;
    for (const part of $ref.slice(2).split("/")) {
      const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
      target = isRecord(target) && Object.hasOwn(target, key) ? target[key] : undefined;
    }
    if (!isRecord(target)) return null;
    schema = { ...target, ...beside };
  }
  return null;
}

/** `enum`, or alternatives that are single values, possibly with titles. */
function choicesOf(schema: Schema): Choice[] | null {
  const { enum: values, anyOf, oneOf } = schema;
  if (Array.isArray(values)) return plainChoices(values.map((value) => ({ const: value })));
  if ("const" in schema) return plainChoices([schema]);
  const alternatives = oneOf ?? anyOf;
  return Array.isArray(alternatives) && alternatives.length > 0 ? plainChoices(alternatives) : null;
}

function plainChoices(alternatives: readonly unknown[]): Choice[] | null {
  const found = alternatives.flatMap((one): Choice[] => {
    const value = isRecord(one) ? one["const"] : undefined;
    if (!isRecord(one) || (typeof value !== "string" && typeof value !== "number")) return [];
    return [{ value, label: textOf(one["title"]) ?? String(value), desc: textOf(one["description"]) }];
  });
  return found.length === alternatives.length && found.length > 0 ? found : null;
}

const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

function placeholderOf(examples: unknown): string | null {
  const [first]: unknown[] = Array.isArray(examples) ? examples : [];
  return typeof first === "string" || typeof first === "number" ? String(first) : null;
}

function isJson(value: unknown): value is JsonValue {
  return value !== undefined;
}

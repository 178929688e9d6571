/**
 * The form of a JSON Schema, as services, connections, triggers and steps describe their values: objects, lists, texts,
 * numbers, booleans, choices, and values of one of several forms. What else a schema says becomes JSON. Pure.
 */
import { isRecord, type JsonObject, type JsonValue } from "../../json.ts";
import {
  type AdditionalNames,
  ANY_VALUE,
  type FormModel,
  MAX_RADIO_BUTTONS,
  type ModelField,
  type ObjectShape,
  type Shape,
  type TextShape,
} from "./form-model.ts";
import { choicesOf, constantOf, isChoosable, resolved, type Schema, textOf, withoutNull } from "./schema-parts.ts";
import { type Alternative, alternativesOf, areRestrictions, suggestionsOf } from "./schema-variants.ts";

/** Levels of a schema. A recursive one ends as JSON. */
const MAX_LEVELS = 12;
/** Shapes of a form. A recursive schema with several branches ends as JSON at fewer levels. */
const MAX_SHAPES = 2_000;
/** Variants that are shown as radio buttons. */
const MAX_RADIO_VARIANTS = 3;

interface Within {
  readonly root: Schema;
  readonly level: number;
  readonly size: Size;
}
interface Size {
  readonly levels: number;
  shapes: number;
  /** Whether there is more below the last level. */
  isCut: boolean;
}

const JSON_SHAPE = { kind: "json" } as const;
/** A text that may be longer is shown in several lines. Limits of names and URLs are often higher than their values. */
const MAX_LINE_CHARS = 5_000;

/** @param schema Null if nothing is known. */
export function schemaModel(schema: JsonObject | null): FormModel {
  if (schema === null) return JSON_SHAPE;
  // Level by level, so that what is left out of a form that would be too large are its deepest parts.
  let shape: Shape = JSON_SHAPE;
  for (let levels = 1; levels <= MAX_LEVELS; levels++) {
    const size: Size = { levels, shapes: 0, isCut: false };
    const deeper = shapeOf(schema, { root: schema, level: 0, size });
    if (size.shapes > MAX_SHAPES && levels > 1) break;
    shape = deeper;
    if (!size.isCut) break;
  }
  return isOfObjects(shape) ? shape : JSON_SHAPE;
}

/** One form for the settings of two schemas, of which the first one is an object without alternatives. */
export function joinedModel(first: JsonObject | null, second: JsonObject | null): FormModel {
  const [start, end] = [schemaModel(first), schemaModel(second)];
  if (start.kind !== "object") return end;
  return withFields(start, end);
}

/** A form that nothing is known of has further values. */
function withFields(start: ObjectShape, end: Shape): FormModel {
  if (end.kind === "object") return { ...end, fields: [...start.fields, ...end.fields] };
  if (end.kind !== "variants") return { ...start, additional: true };
  return { ...end, variants: end.variants.map((variant) => ({ ...variant, shape: withFields(start, variant.shape) })) };
}

/** Whether each of its values is an object. */
function isOfObjects(shape: Shape): shape is FormModel {
  return (
    shape.kind === "object" || (shape.kind === "variants" && shape.variants.every((one) => isOfObjects(one.shape)))
  );
}

function shapeOf(given: unknown, { root, level, size }: Within): Shape {
  const schema = resolved(given, root);
  size.shapes++;
  if (level > size.levels) size.isCut = true;
  if (schema === null || level > size.levels || size.shapes > MAX_SHAPES) return JSON_SHAPE;
  const constant = constantOf(schema);
  if (isJson(constant)) return { kind: "constant", value: constant };
  const choices = choicesOf(schema);
  if (choices !== null) {
    return { kind: "choice", choices, look: choices.length <= MAX_RADIO_BUTTONS ? "radio" : "dropdown" };
  }
  const suggestions = suggestionsOf(schema);
  if (suggestions !== null) return { kind: "text", look: "line", suggestions };
  if (UNSHOWN.some((name) => schema[name] !== undefined)) return JSON_SHAPE;
  const within = { root, level: level + 1, size };
  if (areRestrictions(schema)) return plainShape(schema, within);
  const alternatives = alternativesOf(schema, root);
  if (alternatives !== null) return variantsShape(alternatives, within);
  return schema["oneOf"] === undefined && schema["anyOf"] === undefined ? plainShape(schema, within) : JSON_SHAPE;
}

function variantsShape(alternatives: readonly Alternative[], within: Within): Shape {
  const variants = alternatives.map(({ schema, label, desc }) => ({ label, desc, shape: shapeOf(schema, within) }));
  const [only] = variants;
  if (variants.length === 1 && only !== undefined) return only.shape;
  // Where all of them are JSON, there is nothing to choose.
  if (variants.every(({ shape }) => shape.kind === "json")) return JSON_SHAPE;
  return { kind: "variants", variants, look: variants.length <= MAX_RADIO_VARIANTS ? "radio" : "dropdown" };
}

function plainShape(schema: Schema, within: Within): Shape {
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
      return isRecord(schema["properties"]) ? objectShape(schema, within) : JSON_SHAPE;
  }
}

/** Keywords that depend on other values. */
const UNSHOWN = ["allOf", "not", "if", "$ref", "$dynamicRef", "patternProperties", "dependentSchemas"];

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
  const { properties = {}, required = [], additionalProperties } = schema;
  if (!isRecord(properties)) return JSON_SHAPE;
  const needed = new Set(Array.isArray(required) ? required : []);
  const names = Object.keys(properties);
  // Most libraries ignore further values where nothing is said of them. Without any field, they are all that there is.
  const isOpen = additionalProperties === undefined && schema["properties"] === undefined;
  const additional: AdditionalNames = isOpen || (additionalProperties !== undefined && additionalProperties !== false);
  const fields = names.map((key) => modelField(key, properties[key], !needed.has(key), within));
  return { kind: "object", fields, additional, extra: extraShape(additionalProperties, within) };
}

/** A name without a value is written with an empty text. */
function extraShape(schema: unknown, within: Within): Shape {
  if (!isRecord(schema) || Object.keys(schema).length === 0) return ANY_VALUE;
  const shape = shapeOf(schema, within);
  if (shape.kind === "json") return ANY_VALUE;
  return shape.kind === "text" ? { ...shape, keepsEmpty: true } : shape;
}

function modelField(key: string, given: unknown, isOptional: boolean, within: Within): ModelField {
  const plain = resolved(given, within.root) ?? {};
  const { schema, isNullable } = withoutNull(plain);
  const own = { ...(resolved(schema, within.root) ?? {}), ...described(plain) };
  const preset = isJson(own["default"]) ? own["default"] : undefined;
  const canBeEmpty = isOptional || isNullable;
  const shape = fieldShape(shapeOf(schema, within), own, canBeEmpty);
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
    empty: isOptional ? "omitted" : isNullable ? "null" : shape.kind === "list" ? "list" : "omitted",
    shape: shape.kind === "boolean" ? { ...shape, hasThirdState: canBeEmpty && typeof preset !== "boolean" } : shape,
  };
}

/** A constant that may be left out is a choice. */
function fieldShape(shape: Shape, { title, description }: Schema, canBeEmpty: boolean): Shape {
  if (shape.kind !== "constant" || !canBeEmpty) return shape;
  const { value } = shape;
  if (!isChoosable(value)) return JSON_SHAPE;
  const label = textOf(title) ?? String(value);
  return { kind: "choice", choices: [{ value, label, desc: textOf(description) }], look: "radio" };
}

/** What stands beside a reference, or beside the alternatives of a value that may be null. */
function described({ title, description, examples, default: preset }: Schema): Schema {
  const found = { title, description, examples, default: preset };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

function placeholderOf(examples: unknown): string | null {
  const [first]: unknown[] = Array.isArray(examples) ? examples : [];
  return typeof first === "string" || typeof first === "number" ? String(first) : null;
}

function isJson(value: unknown): value is JsonValue {
  return value !== undefined;
}

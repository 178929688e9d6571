/** Fills a form with JSON, such as the input of an earlier run. Reading the form gives the same JSON again. Pure. */
import { isRecord, type JsonObject, type JsonValue, sortedJson } from "../../json.ts";
import { type Entry, emptyEntry, emptyField, type FileEntry, jsonText } from "./entry.ts";
import type { FormModel, ModelField, ObjectShape, Shape, TextShape } from "./form-model.ts";
import type { Notation } from "./notation.ts";
import { readEntry } from "./read-entry.ts";

/** A blank form: with the values that apply without an answer. */
export function blankForm(model: FormModel, notation: Notation): Entry {
  return model.kind === "object" ? blankObject(model, notation) : emptyEntry(model);
}

function blankObject(shape: ObjectShape, notation: Notation): Entry {
  const fields = shape.fields.map((field): [string, Entry] => [field.key, blankField(field, notation)]);
  return { kind: "object", fields: Object.fromEntries(fields), extra: [] };
}

export function blankField(field: ModelField, notation: Notation): Entry {
  const { shape, preset, isOptional } = field;
  // The fields of an object have taken over its preset as their own.
  if (shape.kind === "object") {
    return isOptional && preset === undefined ? { kind: "none" } : blankObject(shape, notation);
  }
  return preset === undefined ? emptyField(field) : fillEntry(shape, preset, notation);
}

/** The entry of a new row, or of an optional object that a person adds. */
export const blankEntry = (shape: Shape, notation: Notation): Entry =>
  shape.kind === "object" ? blankObject(shape, notation) : emptyEntry(shape);

/** Fills a form. Fields that the values do not have are empty. */
export function fillForm(model: FormModel, value: JsonValue, notation: Notation): Entry {
  return fillEntry(model, value, notation);
}

export function fillEntry(shape: Shape, value: JsonValue, notation: Notation): Entry {
  if (shape.kind === "object") return fillObject(shape, value, notation);
  if (shape.kind === "list" && Array.isArray(value) && value.length > 0) {
    const entries = value.map((one) => fillEntry(shape.item, one, notation));
    return { kind: "list", rows: entries.map((entry, index) => ({ id: index + 1, entry })) };
  }
  const entry = fitting(shape, value, notation);
  if (entry !== null && isSame(shape, readBack(shape, entry, notation), value)) return entry;
  return { kind: "raw", text: jsonText(value) };
}

/** The entry of a control that may show the value; null if none does. */
function fitting(shape: Shape, value: JsonValue, notation: Notation): Entry | null {
  switch (shape.kind) {
    case "text":
    case "date":
    case "time":
    case "connection":
      return typeof value === "string" ? { kind: "text", text: value } : null;
    case "datetime": {
      const local = typeof value === "string" ? notation.toLocal(value) : null;
      return local === null ? null : { kind: "text", text: local };
    }
    case "number":
      return typeof value === "number" ? { kind: "text", text: notation.formatNumber(value) } : null;
    case "boolean":
      return typeof value === "boolean" ? { kind: "boolean", value } : null;
    case "choice":
      return typeof value === "string" || typeof value === "number"
        ? { kind: "choice", value: chosen(shape, value) }
        : null;
    case "file":
      return filesOf(value);
    case "json":
      return { kind: "text", text: jsonText(value) };
    default:
      return null;
  }
}

const chosen = ({ choices }: Extract<Shape, { kind: "choice" }>, value: string | number) =>
  choices.some((one) => one.value === value) ? value : null;

const CLOCK = /^\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

function readBack(shape: Shape, entry: Entry, notation: Notation): JsonValue | undefined {
  // The controls of browsers show only these.
  if (entry.kind === "text" && shape.kind === "date" && !DAY.test(entry.text)) return undefined;
  if (entry.kind === "text" && shape.kind === "time" && !CLOCK.test(entry.text)) return undefined;
  if (entry.kind === "text" && shape.kind === "text" && !hasLines(shape) && /[\r\n]/.test(entry.text)) {
    return undefined;
  }
  return readEntry(shape, entry, [], { notation, problems: [], allowsUploads: true });
}

const hasLines = ({ look }: TextShape) => look === "lines" || look === "grows";

function isSame(shape: Shape, read: JsonValue | undefined, value: JsonValue): boolean {
  if (read === undefined) return false;
  if (shape.kind === "file") return true;
  if (shape.kind === "datetime" && typeof read === "string" && typeof value === "string") {
    // The same moment, unless browsers cannot tell it: times that occur twice, and parts of a millisecond.
    const zoned = /(Z|[+-]\d\d:\d\d)$/.test(value) ? value : `${value}Z`;
    return !/\.\d{4}/.test(value) && Date.parse(read) === Date.parse(zoned);
  }
  return sortedJson(read) === sortedJson(value);
}

/** Ids of files, or files of records, which are shown with their `file_id`. */
function filesOf(value: JsonValue): Entry | null {
  const files = (Array.isArray(value) ? value : [value]).map((one): FileEntry | null => {
    const id = isRecord(one) ? one["file_id"] : one;
    return typeof id === "string" && id !== "" ? { id, name: null, size: null, type: "", uploadUrl: null } : null;
  });
  const known = files.filter((one) => one !== null);
  return known.length === files.length && known.length > 0 ? { kind: "files", files: known } : null;
}

function fillObject(shape: ObjectShape, value: JsonValue, notation: Notation): Entry {
  if (!isRecord(value)) return { kind: "raw", text: jsonText(value) };
  const given = value as JsonObject; // a JSON value
  const fields = shape.fields.map((field): [string, Entry] => {
    const found = Object.hasOwn(given, field.key) ? given[field.key] : undefined;
    return [field.key, found === undefined ? absentField(field) : fillField(field, found, notation)];
  });
  const own = new Set(shape.fields.map(({ key }) => key));
  const extra = Object.entries(given).filter(([name]) => !own.has(name));
  return {
    kind: "object",
    fields: Object.fromEntries(fields),
    extra: extra.map(([name, one], index) => ({ id: index + 1, name, text: extraText(one) })),
  };
}

/** Null means the same as no value, unless the schema says otherwise. */
function fillField(field: ModelField, value: JsonValue, notation: Notation): Entry {
  const meansEmpty = value === null && field.isOptional && field.shape.kind !== "json";
  return meansEmpty ? absentField(field) : fillEntry(field.shape, value, notation);
}

/** A box has no state for "no value": it shows what applies then. */
function absentField(field: ModelField): Entry {
  const { shape, preset } = field;
  if (shape.kind === "boolean" && typeof preset === "boolean") return { kind: "boolean", value: preset };
  return emptyField(field);
}

/** A text that would be read as JSON is written as JSON. */
function extraText(value: JsonValue): string {
  if (typeof value !== "string") return JSON.stringify(value);
  try {
    JSON.parse(value);
    return JSON.stringify(value);
  } catch {
    return value;
  }
}

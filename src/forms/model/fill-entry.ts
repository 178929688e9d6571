/** Fills a form with JSON, such as the input of an earlier run. Reading the form gives the same JSON again. Pure. */
import { isRecord, type JsonObject, type JsonValue, ownField } from "../../json.ts";
import { closestVariant } from "./closest-variant.ts";
import { chosenEntry, type Entry, emptyEntry, emptyField, jsonText, type VariantsEntry } from "./entry.ts";
import { fillControl } from "./fill-control.ts";
import type { FormModel, ModelField, ObjectShape, Shape, VariantsShape } from "./form-model.ts";
import type { Notation } from "./notation.ts";

/** A blank form: with the values that apply without an answer. */
export function blankForm(model: FormModel, notation: Notation): Entry {
  return blankEntry(model, notation);
}

function blankObject(shape: ObjectShape, notation: Notation): Entry {
  const fields = shape.fields.map((field): [string, Entry] => [field.key, blankField(field, notation)]);
  return { kind: "object", fields: Object.fromEntries(fields), extra: [] };
}

function blankField(field: ModelField, notation: Notation): Entry {
  const { shape, preset, isOptional } = field;
  // The fields of an object have taken over its preset as their own.
  if (shape.kind === "object") {
    return isOptional && preset === undefined ? { kind: "none" } : blankObject(shape, notation);
  }
  if (preset !== undefined) return fillEntry(shape, preset, notation);
  return isOptional ? emptyField(field) : blankEntry(shape, notation);
}

/** The entry of a new row, or of an optional object that a person adds. Of several variants, the first one is chosen. */
export function blankEntry(shape: Shape, notation: Notation): Entry {
  if (shape.kind === "object") return blankObject(shape, notation);
  return shape.kind === "variants" ? chooseVariant(shape, emptyEntry(shape), 0, notation) : emptyEntry(shape);
}

/** Another variant of a value. Fields that both variants have keep what was entered. @param chosen Null for none. */
export function chooseVariant(shape: VariantsShape, entry: Entry, chosen: number | null, notation: Notation): Entry {
  const before: VariantsEntry = entry.kind === "variants" ? entry : { kind: "variants", chosen: null, entries: {} };
  const variant = chosen === null ? undefined : shape.variants[chosen];
  if (chosen === null || variant === undefined) return { ...before, chosen: null };
  const own = before.entries[chosen] ?? blankEntry(variant.shape, notation);
  const last = before.chosen === null ? undefined : shape.variants[before.chosen];
  const next = last === undefined ? own : withShared(variant.shape, own, last.shape, chosenEntry(before));
  return { kind: "variants", chosen, entries: { ...before.entries, [chosen]: next } };
}

function withShared(shape: Shape, entry: Entry, otherShape: Shape, other: Entry | undefined): Entry {
  if (shape.kind === "object" && entry.kind === "object" && otherShape.kind === "object" && other?.kind === "object") {
    const shared = shape.fields.flatMap(({ key, shape: own }): [string, Entry][] => {
      const same = otherShape.fields.find((field) => field.key === key);
      const found = other.fields[key];
      return same !== undefined && found !== undefined && isSameShape(own, same.shape) ? [[key, found]] : [];
    });
    return { ...entry, fields: { ...entry.fields, ...Object.fromEntries(shared) } };
  }
  const isEmptyText = entry.kind === "text" && entry.text === "";
  return isEmptyText && other?.kind === "text" ? other : entry;
}

const isSameShape = (one: Shape, other: Shape) => JSON.stringify(one) === JSON.stringify(other);

/** Fills a form. Fields that the values do not have are empty. */
export function fillForm(model: FormModel, value: JsonValue, notation: Notation): Entry {
  return fillEntry(model, value, notation);
}

function fillEntry(shape: Shape, value: JsonValue, notation: Notation): Entry {
  if (shape.kind === "object") return fillObject(shape, value, notation);
  if (shape.kind === "list" && Array.isArray(value)) {
    const entries = value.map((one) => fillEntry(shape.item, one, notation));
    return { kind: "list", rows: entries.map((entry, index) => ({ id: index + 1, entry })), isGiven: true };
  }
  if (shape.kind === "variants") {
    const chosen = closestVariant(shape, value, notation);
    const variant = chosen === null ? undefined : shape.variants[chosen];
    if (chosen === null || variant === undefined) return { kind: "raw", text: jsonText(value) };
    return { kind: "variants", chosen, entries: { [chosen]: fillEntry(variant.shape, value, notation) } };
  }
  return fillControl(shape, value, notation);
}

function fillObject(shape: ObjectShape, value: JsonValue, notation: Notation): Entry {
  if (!isRecord(value)) return { kind: "raw", text: jsonText(value) };
  const given = value as JsonObject; // a JSON value
  const fields = shape.fields.map((field): [string, Entry] => {
    const found = ownField(given, field.key);
    return [field.key, found === undefined ? absentField(field) : fillField(field, found, notation)];
  });
  const own = new Set(shape.fields.map(({ key }) => key));
  const extra = Object.entries(given).filter(([name]) => !own.has(name));
  return {
    kind: "object",
    fields: Object.fromEntries(fields),
    extra: extra.map(([name, one], index) => ({ id: index + 1, name, entry: fillEntry(shape.extra, one, notation) })),
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

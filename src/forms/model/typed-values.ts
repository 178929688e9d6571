/** What a person has typed, field by field: kept apart from the form, so that the forms of other versions are filled with it. Pure. */
import { isRecord, ownField } from "../../json.ts";
import { type Entry, type ExtraEntry, nextId, type ObjectEntry } from "./entry.ts";
import { blankEntry } from "./fill-entry.ts";
import type { FormModel, ObjectShape, Shape } from "./form-model.ts";
import { keptEntry } from "./kept-entry.ts";
import type { Notation } from "./notation.ts";

/** What was typed into a field. */
export interface TypedValue {
  /** Keys of the field and of the objects around it. */
  readonly path: readonly string[];
  /** Labels of the same. */
  readonly labels: readonly string[];
  /** The kind of field for which it was typed. `extra`: the further values of an object. */
  readonly kind: string;
  /** Checked when it takes its place in a form: it may have been kept by another version of the console. */
  readonly entry: unknown;
  /** Whether a person has been told that the form has no place for it, and does not want to see it again. */
  readonly isDismissed?: boolean;
}

const EXTRA = "extra";
const NONE: Entry = { kind: "none" };

/** What differs from the form as it was first. */
export function typedValues(model: FormModel, first: Entry, values: Entry): readonly TypedValue[] {
  return typedWithin(model, first, values, [], []);
}

function typedWithin(
  shape: Shape,
  first: Entry,
  entry: Entry,
  path: readonly string[],
  labels: readonly string[],
): readonly TypedValue[] {
  if (isSame(first, entry)) return [];
  if (shape.kind !== "object" || entry.kind !== "object") return [{ path, labels, kind: kindOf(shape), entry }];
  const before = first.kind === "object" ? first : { fields: {}, extra: [] };
  const fields = shape.fields.flatMap(({ key, label, shape: inner }) => {
    const found = ownField(entry.fields, key);
    if (found === undefined) return [];
    return typedWithin(inner, ownField(before.fields, key) ?? NONE, found, [...path, key], [...labels, label]);
  });
  if (isSame(before.extra, entry.extra)) return fields;
  return [...fields, { path, labels, kind: EXTRA, entry: { kind: "object", fields: {}, extra: entry.extra } }];
}

export interface PlacedValues {
  readonly entry: Entry;
  /** What has no place in the form. */
  readonly rest: readonly TypedValue[];
}

/** Fills a form with what was typed, also into the form of another version. */
export function placedValues(
  model: FormModel,
  blank: Entry,
  typed: readonly TypedValue[],
  notation: Notation,
): PlacedValues {
  const taken = new Set<TypedValue>();
  const entry = placed(model, blank, typed, { depth: 0, taken, notation });
  return { entry, rest: typed.filter((one) => !taken.has(one)) };
}

interface Within {
  readonly depth: number;
  readonly taken: Set<TypedValue>;
  readonly notation: Notation;
}

/** @param typed Into this field, and into the fields in it. */
function placed(shape: Shape, blank: Entry, typed: readonly TypedValue[], within: Within): Entry {
  const { depth, taken, notation } = within;
  const found = fitting(
    shape,
    typed.filter(({ path, kind }) => path.length === depth && kind !== EXTRA),
  );
  if (found !== null) {
    taken.add(found.typed);
    return found.entry;
  }
  if (shape.kind !== "object" || typed.length === 0) return blank;
  const base = blank.kind === "object" ? blank : blankEntry(shape, notation);
  if (base.kind !== "object") return blank;
  const before = taken.size;
  const filled = placedFields(shape, base, typed, within);
  // An optional object is added only for a value that has its place in it.
  return taken.size === before ? blank : filled;
}

function placedFields(shape: ObjectShape, base: ObjectEntry, typed: readonly TypedValue[], within: Within): Entry {
  const { depth } = within;
  const fields = shape.fields.flatMap(({ key, shape: inner }): [string, Entry][] => {
    const own = ownField(base.fields, key);
    const given = typed.filter(({ path }) => path[depth] === key);
    return own === undefined ? [] : [[key, placed(inner, own, given, { ...within, depth: depth + 1 })]];
  });
  const extra = typed.filter(({ path, kind }) => path.length === depth && kind === EXTRA);
  return { kind: "object", fields: Object.fromEntries(fields), extra: placedExtra(shape, base.extra, extra, within) };
}

/** Of several objects with further values, each takes its place as a whole, or not at all. */
function placedExtra(
  shape: ObjectShape,
  blank: readonly ExtraEntry[],
  typed: readonly TypedValue[],
  { taken }: Within,
): readonly ExtraEntry[] {
  if (shape.additional === false) return blank;
  const names = new Set(shape.fields.map(({ key }) => key));
  const only: ObjectShape = { ...shape, fields: [] };
  const placedRows: ExtraEntry[] = [];
  let hasTaken = false;
  for (const one of typed.toReversed()) {
    const entry = keptEntry(only, one.entry);
    if (entry?.kind !== "object" || entry.extra.some(({ name }) => names.has(name))) continue;
    taken.add(one);
    hasTaken = true;
    for (const row of entry.extra) {
      placedRows.push({ ...row, id: nextId(placedRows) });
      if (row.name !== "") names.add(row.name);
    }
  }
  return hasTaken ? placedRows : blank;
}

/** What was typed for such a field, else what was typed last of what it can show. */
function fitting(shape: Shape, typed: readonly TypedValue[]): { typed: TypedValue; entry: Entry } | null {
  const kind = kindOf(shape);
  const fits = typed.toReversed().flatMap((one) => {
    if (one.kind !== kind && !SHOW_ANY_TEXT.has(kind)) return [];
    const entry = keptEntry(shape, one.entry);
    return entry === null ? [] : [{ typed: one, entry }];
  });
  return fits.find((one) => one.typed.kind === kind) ?? fits[0] ?? null;
}

/** A text in another control, such as one for dates, would not be seen. */
const SHOW_ANY_TEXT = new Set(["text", "number", "json"]);

const kindOf = (shape: Shape): string => (shape.kind === "list" ? `list ${kindOf(shape.item)}` : shape.kind);

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** What was kept by the browser, as far as it can be read. */
export function keptTyped(kept: unknown): readonly TypedValue[] {
  return Array.isArray(kept) ? kept.flatMap((one) => keptOne(one) ?? []) : [];
}

function keptOne(kept: unknown): TypedValue | null {
  if (!isRecord(kept)) return null;
  const { path, labels, kind, entry, isDismissed } = kept;
  if (!areTexts(path) || !areTexts(labels) || typeof kind !== "string") return null;
  return { path, labels, kind, entry, isDismissed: isDismissed === true };
}

const areTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

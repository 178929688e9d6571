/** What was entered into a form, for another one, such as the form of another version. Pure. */
import { ownField } from "../../json.ts";
import type { Entry, ObjectEntry } from "./entry.ts";
import type { ObjectShape, Shape } from "./form-model.ts";
import { keptEntry } from "./kept-entry.ts";

/** A form in which a person has entered something. */
export interface FilledForm {
  /** The form as it was before. */
  readonly first: Entry;
  readonly values: Entry;
}

/** The entry of another form, with what was entered into the fields that it has, too, as far as it fits them. */
export function carriedEntry(shape: Shape, entry: Entry, { first, values }: FilledForm): Entry {
  if (isSame(first, values)) return entry;
  const hasFields = shape.kind === "object" && entry.kind === "object" && values.kind === "object";
  return hasFields ? carriedFields(shape, entry, first, values) : (keptEntry(shape, values) ?? entry);
}

function carriedFields(shape: ObjectShape, entry: ObjectEntry, first: Entry, values: ObjectEntry): ObjectEntry {
  const before = first.kind === "object" ? first : { fields: {}, extra: [] };
  const fields = shape.fields.flatMap(({ key, shape: inner }): [string, Entry][] => {
    const [own, given] = [ownField(entry.fields, key), ownField(values.fields, key)];
    if (own === undefined || given === undefined) return [];
    return [[key, carriedEntry(inner, own, { first: ownField(before.fields, key) ?? NONE, values: given })]];
  });
  const known = new Set(shape.fields.map(({ key }) => key));
  const extra = values.extra.filter(({ name, entry: one }) => !known.has(name) && keptEntry(shape.extra, one) !== null);
  const takesExtra = shape.additional !== false && !isSame(before.extra, values.extra);
  return {
    kind: "object",
    fields: { ...entry.fields, ...Object.fromEntries(fields) },
    extra: takesExtra ? extra : entry.extra,
  };
}

const NONE: Entry = { kind: "none" };

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** What a person has entered into a form. Plain data, so that it can be kept and restored. Pure. */
import type { JsonValue } from "../../json.ts";
import type { Choice, ModelField, Shape, VariantsShape } from "./form-model.ts";

/** A file that was chosen. */
export interface FileEntry {
  readonly id: string;
  /** Null until it is known. */
  readonly name: string | null;
  /** Bytes; null until it is known. */
  readonly size: number | null;
  /** Media type; empty if the browser knows none. */
  readonly type: string;
  /** Where its bytes are sent; null once they are stored. */
  readonly uploadUrl: string | null;
  /**
   * When its content was last changed, as the browser says it of a file that is being uploaded, in milliseconds since 1970.
   * A file with another content may have the same name and size.
   */
  readonly changedAt?: number;
  /** Whether the app no longer has it: it is shown, but no part of the value. */
  readonly isDeleted?: boolean;
}

export interface ListRow {
  /** Stays the same when rows move. */
  readonly id: number;
  readonly entry: Entry;
}

/** A value of a name that the object does not define. */
export interface ExtraEntry {
  readonly id: number;
  readonly name: string;
  readonly entry: Entry;
}

export type Entry =
  /**
   * Also of numbers and dates, as a person writes them, and of JSON. `isUnfinished`: half of a date or a time is typed, of
   * which a browser gives no text. `given`: the moment that the control was filled with, as it was written: it is read until
   * somebody changes the text, which has neither its offset nor the lack of one.
   */
  | { readonly kind: "text"; readonly text: string; readonly isUnfinished?: boolean; readonly given?: string }
  | { readonly kind: "boolean"; readonly value: boolean | null }
  | { readonly kind: "choice"; readonly value: Choice["value"] | null }
  | { readonly kind: "files"; readonly files: readonly FileEntry[] }
  /** `isGiven`: the form was filled with this list, so that without rows it is an empty list and not the lack of one. */
  | { readonly kind: "list"; readonly rows: readonly ListRow[]; readonly isGiven?: boolean }
  | {
      readonly kind: "object";
      readonly fields: Readonly<Record<string, Entry>>;
      readonly extra: readonly ExtraEntry[];
    }
  /** `entries`: by the positions of the variants. Those that were chosen before keep what was entered. */
  | {
      readonly kind: "variants";
      readonly chosen: number | null;
      readonly entries: Readonly<Record<number, Entry>>;
    }
  /** JSON, where a value does not fit its control. */
  | { readonly kind: "raw"; readonly text: string }
  /** An optional object that is left out; what has no control. */
  | { readonly kind: "none" };

/** The entries of a form. */
export type FormValues = Entry;

export type ObjectEntry = Extract<Entry, { kind: "object" }>;
export type ListEntry = Extract<Entry, { kind: "list" }>;
export type VariantsEntry = Extract<Entry, { kind: "variants" }>;

/** The entry of a control that is empty. */
export function emptyEntry(shape: Shape): Entry {
  switch (shape.kind) {
    case "boolean":
      return { kind: "boolean", value: shape.hasThirdState || shape.isAsked === true ? null : false };
    case "choice":
      return { kind: "choice", value: null };
    case "file":
      return { kind: "files", files: [] };
    case "list":
      return { kind: "list", rows: [] };
    case "object":
      return {
        kind: "object",
        fields: Object.fromEntries(shape.fields.map((field) => [field.key, emptyField(field)])),
        extra: [],
      };
    case "variants":
      return emptyVariants(shape);
    case "constant":
    case "content":
      return { kind: "none" };
    default:
      return { kind: "text", text: "" };
  }
}

/** An empty text or number is the lack of a value, so its control can be shown at once. */
function emptyVariants({ variants: [first] }: VariantsShape): Entry {
  const shape = first?.shape;
  const canBeEmpty = shape?.kind === "number" || (shape?.kind === "text" && shape.keepsEmpty !== true);
  return first !== undefined && canBeEmpty
    ? { kind: "variants", chosen: 0, entries: { 0: emptyEntry(first.shape) } }
    : { kind: "variants", chosen: null, entries: {} };
}

/** An optional object is left out until a person adds it. */
export function emptyField({ shape, isOptional }: ModelField): Entry {
  return shape.kind === "object" && isOptional ? { kind: "none" } : emptyEntry(shape);
}

/** Whether a row of a list counts as not filled in. */
export function isEmptyRow(entry: Entry): boolean {
  if (entry.kind === "text" && entry.isUnfinished === true) return false;
  if (entry.kind === "text" || entry.kind === "raw") return entry.text.trim() === "";
  if (entry.kind === "choice" || entry.kind === "boolean") return entry.value === null;
  if (entry.kind === "variants") {
    const chosen = chosenEntry(entry);
    return chosen === undefined || isEmptyRow(chosen);
  }
  return entry.kind === "none" || (entry.kind === "files" && filesOf(entry).length === 0);
}

/** The files that are part of the value. */
export const filesOf = ({ files }: Extract<Entry, { kind: "files" }>): readonly FileEntry[] =>
  files.filter(({ isDeleted }) => isDeleted !== true);

/** What was entered for the variant that is chosen; undefined if none is. */
export const chosenEntry = ({ chosen, entries }: VariantsEntry): Entry | undefined =>
  chosen === null ? undefined : entries[chosen];

/** The number of the next row. */
export const nextId = (rows: readonly { readonly id: number }[]): number =>
  rows.reduce((highest, { id }) => Math.max(highest, id), 0) + 1;

/** A new row at the end. */
export const withRow = (list: ListEntry, entry: Entry): ListEntry => ({
  ...list,
  rows: [...list.rows, { id: nextId(list.rows), entry }],
});

/** A value as JSON, in lines. */
export const jsonText = (value: JsonValue | undefined): string =>
  value === undefined ? "" : JSON.stringify(value, null, 2);

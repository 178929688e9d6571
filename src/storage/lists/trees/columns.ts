/** The content of a leaf: sorted entries, each of whose parts has an array of its own. Pure. */
import { compareKeys, idOf } from "../row-key.ts";
import type { SearchTexts } from "./search-texts.ts";
import {
  appendColumn,
  createColumn,
  insertValue,
  removeValue,
  removeValues,
  replaceValue,
  type UniformColumn,
  valueAt,
} from "./uniform-column.ts";

/** A place in the order of a tree. */
export interface Place {
  /** Empty in a tree without marks. */
  readonly mark: string;
  /** The key of a row. In a tree of orders, its ID. */
  readonly key: string;
}

export interface Entry {
  /** Empty in a tree without marks. */
  readonly mark: string;
  /** The key of the row. */
  readonly key: string;
  readonly text: string;
  readonly marks: readonly string[];
}

/**
 * What the entries of a tree are:
 * - `rows`: key, text and marks of each row.
 * - `marks`: mark and key for each mark of each row.
 * - `orders`: the key of each row whose order differs from its ID, sorted by the ID.
 */
export type TreeKind = "rows" | "marks" | "orders";

export interface Columns {
  readonly kind: TreeKind;
  readonly key: string[];
  /** Has no values if the kind of tree does not use it, as the others. */
  readonly mark: UniformColumn<string>;
  readonly text: UniformColumn<string>;
  readonly marks: UniformColumn<readonly string[]>;
  /** What searches use. Null until the first one, and after a change. */
  searchTexts: SearchTexts | null;
}

export const NO_MARKS: readonly string[] = [];

export function createColumns(kind: TreeKind): Columns {
  return { kind, key: [], mark: createColumn(), text: createColumn(), marks: createColumn(), searchTexts: null };
}

export function copyColumns({ kind, key, mark, text, marks }: Columns): Columns {
  return { kind, key: [...key], mark: [...mark], text: [...text], marks: [...marks], searchTexts: null };
}

export const markAt = ({ mark }: Columns, index: number): string => valueAt(mark, index) ?? "";
export const textAt = ({ text }: Columns, index: number): string => valueAt(text, index) ?? "";
export const marksAt = ({ marks }: Columns, index: number): readonly string[] => valueAt(marks, index) ?? NO_MARKS;

/** What an entry takes besides the characters of its texts, in bytes, roughly: an object and its place in an array. */
const ENTRY_BYTES = 48;

/** Memory that the entries take, in bytes, roughly. */
export function memoryOf({ key, mark, text }: Columns): number {
  let characters = 0;
  for (const one of key) characters += one.length;
  for (const one of text) characters += one.length;
  // Marks are shared, so each costs no more than its place.
  return characters + key.length * ENTRY_BYTES + mark.length * PLACE_BYTES;
}

const PLACE_BYTES = 8;

/** By what an entry is sorted in a tree, besides its mark. */
const sortKey = (kind: TreeKind, key: string): string => (kind === "orders" ? idOf(key) : key);

export function placeOf(kind: TreeKind, { mark, key }: Entry): Place {
  return { mark, key: sortKey(kind, key) };
}

export function placeAt(columns: Columns, index: number): Place {
  return { mark: markAt(columns, index), key: sortKey(columns.kind, columns.key[index] ?? "") };
}

export function comparePlaces(one: Place, other: Place): number {
  if (one.mark !== other.mark) return one.mark < other.mark ? -1 : 1;
  return compareKeys(one.key, other.key);
}

/** Returns the index of the first entry at or after a place. */
export function indexOf(columns: Columns, place: Place): number {
  let low = 0;
  let high = columns.key.length;
  // Most entries are appended.
  if (high > 0 && isBefore(columns, high - 1, place)) return high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(columns, middle, place)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isBefore(columns: Columns, index: number, place: Place): boolean {
  const mark = markAt(columns, index);
  if (mark !== place.mark) return mark < place.mark;
  return compareKeys(sortKey(columns.kind, columns.key[index] ?? ""), place.key) < 0;
}

/** Whether an entry is exactly at a place. */
export function isAt(columns: Columns, index: number, place: Place): boolean {
  const key = columns.key[index];
  return key !== undefined && sortKey(columns.kind, key) === place.key && markAt(columns, index) === place.mark;
}

export function insertAt(columns: Columns, index: number, { mark, key, text, marks }: Entry): void {
  const { kind } = columns;
  const count = columns.key.length;
  columns.searchTexts = null;
  if (index === count) columns.key.push(key);
  else columns.key.splice(index, 0, key);
  if (kind === "marks") insertValue(columns.mark, count, index, mark);
  if (kind !== "rows") return;
  insertValue(columns.text, count, index, text);
  insertValue(columns.marks, count, index, marks);
}

/** Replaces what an entry has besides its place. */
export function replaceAt(columns: Columns, index: number, { key, text, marks }: Entry): void {
  const count = columns.key.length;
  columns.searchTexts = null;
  if (columns.kind === "orders") columns.key[index] = key;
  if (columns.kind !== "rows") return;
  replaceValue(columns.text, count, index, text);
  replaceValue(columns.marks, count, index, marks);
}

export function removeAt(columns: Columns, index: number): void {
  const count = columns.key.length;
  columns.searchTexts = null;
  columns.key.splice(index, 1);
  removeValue(columns.mark, count, index);
  removeValue(columns.text, count, index);
  removeValue(columns.marks, count, index);
}

/** Removes the entries from an index on. Returns them. */
export function removeFrom(columns: Columns, start: number): Columns {
  columns.searchTexts = null;
  return {
    kind: columns.kind,
    key: columns.key.splice(start),
    mark: removeValues(columns.mark, start),
    text: removeValues(columns.text, start),
    marks: removeValues(columns.marks, start),
    searchTexts: null,
  };
}

export function appendAll(columns: Columns, others: Columns): void {
  const count = columns.key.length;
  const added = others.key.length;
  columns.searchTexts = null;
  columns.key.push(...others.key);
  appendColumn(columns.mark, count, others.mark, added);
  appendColumn(columns.text, count, others.text, added);
  appendColumn(columns.marks, count, others.marks, added);
}

/** The content of a leaf: sorted entries, each of whose parts has an array of its own. Pure. */
import type { SearchTexts } from "./search-texts.ts";

/** A place in the order of a tree. A tree that does not use a part has empty ones. */
export interface Place {
  readonly mark: string;
  readonly order: string;
  readonly id: string;
}

export interface Entry extends Place {
  readonly text: string;
  readonly marks: readonly string[];
}

/**
 * What the entries of a tree are:
 * - `rows`: order, ID, text and marks of each row. No `mark`.
 * - `marks`: mark, order and ID for each mark of each row.
 * - `orders`: for each row whose order differs from its ID, the ID as `order`, and the order as `text`.
 */
export type TreeKind = "rows" | "marks" | "orders";

export interface Columns {
  /** Empty, if the kind of tree does not use it, as the others. */
  readonly mark: string[];
  readonly order: string[];
  readonly id: string[];
  readonly text: string[];
  readonly marks: (readonly string[])[];
  /** What searches use. Null until the first one, and after a change. */
  searchTexts: SearchTexts | null;
}

export const NO_MARKS: readonly string[] = [];

export function createColumns(): Columns {
  return { mark: [], order: [], id: [], text: [], marks: [], searchTexts: null };
}

export function copyColumns({ mark, order, id, text, marks }: Columns): Columns {
  return { mark: [...mark], order: [...order], id: [...id], text: [...text], marks: [...marks], searchTexts: null };
}

export function comparePlaces(one: Place, other: Place): number {
  return compare(one.mark, other.mark) || compare(one.order, other.order) || compare(one.id, other.id);
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));

/** Returns the index of the first entry at or after a place. */
export function indexOf(columns: Columns, place: Place): number {
  let low = 0;
  let high = columns.order.length;
  // Most entries are appended.
  if (high > 0 && isBefore(columns, high - 1, place)) return high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(columns, middle, place)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isBefore({ mark, order, id }: Columns, index: number, place: Place): boolean {
  if (mark.length > 0) {
    const own = mark[index] ?? "";
    if (own !== place.mark) return own < place.mark;
  }
  const ownOrder = order[index] ?? "";
  if (ownOrder !== place.order) return ownOrder < place.order;
  return id.length > 0 && (id[index] ?? "") < place.id;
}

/** Whether an entry is exactly at a place. */
export function isAt({ mark, order, id }: Columns, index: number, place: Place): boolean {
  return (
    order[index] === place.order &&
    (id.length === 0 || id[index] === place.id) &&
    (mark.length === 0 || mark[index] === place.mark)
  );
}

export function placeAt({ mark, order, id }: Columns, index: number): Place {
  return { mark: mark[index] ?? "", order: order[index] ?? "", id: id[index] ?? "" };
}

export function insertAt(columns: Columns, kind: TreeKind, index: number, entry: Entry): void {
  columns.searchTexts = null;
  insert(columns.order, index, entry.order);
  if (kind !== "orders") insert(columns.id, index, entry.id);
  if (kind === "marks") insert(columns.mark, index, sharedMark(columns.mark, index, entry.mark));
  else insert(columns.text, index, entry.text);
  if (kind === "rows") insert(columns.marks, index, entry.marks);
}

function insert<Item>(items: Item[], index: number, item: Item): void {
  if (index === items.length) items.push(item);
  else items.splice(index, 0, item);
}

/** The same mark of a neighbor, so that memory has its text once. */
function sharedMark(marks: readonly string[], index: number, mark: string): string {
  const before = marks[index - 1];
  if (before === mark) return before;
  const after = marks[index];
  return after === mark ? after : mark;
}

/** Replaces what an entry has besides its place. */
export function replaceAt(columns: Columns, kind: TreeKind, index: number, entry: Entry): void {
  columns.searchTexts = null;
  columns.text[index] = entry.text;
  if (kind === "rows") columns.marks[index] = entry.marks;
}

export function removeAt(columns: Columns, kind: TreeKind, index: number): void {
  columns.searchTexts = null;
  columns.order.splice(index, 1);
  if (kind !== "orders") columns.id.splice(index, 1);
  if (kind === "marks") columns.mark.splice(index, 1);
  else columns.text.splice(index, 1);
  if (kind === "rows") columns.marks.splice(index, 1);
}

/** Removes the entries from `start` up to, but not including, `end`. Returns them. */
export function removeRange(columns: Columns, start: number, end: number): Columns {
  columns.searchTexts = null;
  const count = end - start;
  return {
    mark: columns.mark.splice(start, count),
    order: columns.order.splice(start, count),
    id: columns.id.splice(start, count),
    text: columns.text.splice(start, count),
    marks: columns.marks.splice(start, count),
    searchTexts: null,
  };
}

export function appendAll(columns: Columns, others: Columns): void {
  columns.searchTexts = null;
  columns.mark.push(...others.mark);
  columns.order.push(...others.order);
  columns.id.push(...others.id);
  columns.text.push(...others.text);
  columns.marks.push(...others.marks);
}

/**
 * The rows of one list in memory: a B+ tree of two levels whose leaves are also the stored units.
 *
 * A leaf stores its columns in separate arrays: ids and orders to find a position, texts and marks to filter.
 */
import type { Row } from "../../ports/store.ts";
import { type CombinedTotals, updateTotals } from "./combined-totals.ts";
import { createLeafIndex, type LeafIndex } from "./leaf-index.ts";
import { addMark, type Marks, removeMark } from "./marked-rows.ts";
import type { Position } from "./position.ts";

/** Maximum number of rows in a leaf. A list of 100,000 rows reads about 200 leaves at startup. */
const MAX_LEAF_ROWS = 500;

export interface LeafColumns {
  readonly ids: readonly string[];
  readonly orders: readonly string[];
  readonly texts: readonly string[];
  readonly marks: readonly (readonly string[])[];
}

export interface Leaf extends LeafColumns {
  readonly ids: string[];
  readonly orders: string[];
  readonly texts: string[];
  readonly marks: (readonly string[])[];
  /** The search index; null until the first query and after a change. */
  index: LeafIndex | null;
  /** Name of the stored leaf, or null if it has changed since. */
  stored: string | null;
}

export interface RowTree {
  readonly leaves: Leaf[];
  size: number;
  readonly marks: Marks;
  /** Totals of queries by several marks. */
  readonly totals: CombinedTotals;
  /** Orders of rows whose order differs from their ID. */
  readonly orders: Map<string, string>;
  /** Names of stored leaves that no longer belong to the list. */
  obsolete: string[];
}

const NO_MARKS: readonly string[] = [];

export function createRowTree(): RowTree {
  return { leaves: [], size: 0, marks: new Map(), totals: new Map(), orders: new Map(), obsolete: [] };
}

/** Appends a stored leaf. */
export function addStoredLeaf(list: RowTree, rows: readonly Row[], name: string): void {
  const leaf = createLeaf();
  for (const row of rows) {
    insertIntoLeaf(leaf, leaf.ids.length, row);
    addToCounts(list, row.id, row.order ?? row.id, row.marks ?? NO_MARKS);
  }
  leaf.stored = name;
  if (rows.length > 0) list.leaves.push(leaf);
  else list.obsolete.push(name);
}

/** The current rows, without copying each. */
export function copyColumns({ ids, orders, texts, marks }: Leaf): LeafColumns {
  return { ids: [...ids], orders: [...orders], texts: [...texts], marks: [...marks] };
}

export function leafRows(leaf: LeafColumns): Row[] {
  return leaf.ids.map((id, index) => {
    const order = leaf.orders[index] ?? id;
    const text = leaf.texts[index] ?? "";
    const marks = leaf.marks[index] ?? NO_MARKS;
    return {
      id,
      order: order === id ? undefined : order,
      text: text || undefined,
      marks: marks.length === 0 ? undefined : marks,
    };
  });
}

/** Returns the leaf's index and builds it if necessary. */
export function ensureIndex(leaf: Leaf): LeafIndex {
  leaf.index ??= createLeafIndex(leaf.texts, leaf.marks);
  return leaf.index;
}

/** Adds a row, or replaces the one with the same ID. */
export function putRow(list: RowTree, row: Row): void {
  const position = { order: row.order ?? row.id, id: row.id };
  if (replaceRow(list, position, row)) return;
  deleteRow(list, row.id);
  const leaf = list.leaves[leafOf(list, position)] ?? newLastLeaf(list);
  insertIntoLeaf(leaf, indexIn(leaf, position), row);
  markChanged(list, leaf);
  addToCounts(list, row.id, position.order, row.marks ?? NO_MARKS);
  if (leaf.ids.length > MAX_LEAF_ROWS) splitLeaf(list, list.leaves.indexOf(leaf));
}

/** Replaces a row that stays in its place. A leaf whose rows stay the same is not stored again. */
function replaceRow(list: RowTree, position: Position, row: Row): boolean {
  const leaf = list.leaves[leafOf(list, position)];
  if (leaf === undefined) return false;
  const index = indexIn(leaf, position);
  if (leaf.ids[index] !== row.id || leaf.orders[index] !== position.order) return false;
  const text = row.text ?? "";
  const before = new Set(leaf.marks[index]);
  const after = new Set(row.marks);
  const removed = [...before].filter((mark) => !after.has(mark));
  const added = [...after].filter((mark) => !before.has(mark));
  if (leaf.texts[index] === text && removed.length + added.length === 0) return true;
  for (const mark of removed) removeMark(list.marks, mark, row.id);
  for (const mark of added) addMark(list.marks, mark, row.id);
  updateTotals(list.totals, before, after);
  leaf.texts[index] = text;
  leaf.marks[index] = row.marks ?? NO_MARKS;
  markChanged(list, leaf);
  return true;
}

/** Removes a row if it exists. */
export function deleteRow(list: RowTree, id: string): void {
  const position = positionOf(list, id);
  const leafIndex = leafOf(list, position);
  const leaf = list.leaves[leafIndex];
  if (leaf === undefined) return;
  const index = indexIn(leaf, position);
  if (leaf.ids[index] !== id || leaf.orders[index] !== position.order) return;
  const marks = new Set(leaf.marks[index]);
  for (const mark of marks) removeMark(list.marks, mark, id);
  updateTotals(list.totals, marks, null);
  leaf.ids.splice(index, 1);
  leaf.orders.splice(index, 1);
  leaf.texts.splice(index, 1);
  leaf.marks.splice(index, 1);
  markChanged(list, leaf);
  list.orders.delete(id);
  list.size--;
  if (leaf.ids.length === 0) list.leaves.splice(leafIndex, 1);
  else mergeWithNext(list, leafIndex);
}

export function hasRow(list: RowTree, id: string): boolean {
  const position = positionOf(list, id);
  const leaf = list.leaves[leafOf(list, position)];
  return leaf !== undefined && leaf.ids[indexIn(leaf, position)] === id;
}

/** Returns the index of the first leaf whose last row is at or after the position, or the number of leaves. */
export function leafOf(list: RowTree, position: Position): number {
  const last = list.leaves.at(-1);
  if (last === undefined || isBefore(last, last.ids.length - 1, position)) return list.leaves.length;
  return firstIndex(list.leaves.length, (index) => {
    const leaf = list.leaves[index];
    return leaf !== undefined && !isBefore(leaf, leaf.ids.length - 1, position);
  });
}

/** Returns the index of the leaf's first row at or after the position. */
export function indexIn(leaf: Leaf, position: Position): number {
  return firstIndex(leaf.ids.length, (index) => !isBefore(leaf, index, position));
}

function firstIndex(length: number, predicate: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (predicate(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function isBefore(leaf: Leaf, index: number, position: Position): boolean {
  const order = leaf.orders[index] ?? "";
  return order < position.order || (order === position.order && (leaf.ids[index] ?? "") < position.id);
}

/** The position of a row of the list. */
export function positionOf(list: RowTree, id: string): Position {
  return { order: list.orders.get(id) ?? id, id };
}

export function comparePositions(one: Position, other: Position): number {
  return compare(one.order, other.order) || compare(one.id, other.id);
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));

function createLeaf(): Leaf {
  return { ids: [], orders: [], texts: [], marks: [], index: null, stored: null };
}

function newLastLeaf(list: RowTree): Leaf {
  const last = list.leaves.at(-1);
  // A full last leaf is not split, so that appending only adds leaves.
  if (last !== undefined && last.ids.length < MAX_LEAF_ROWS) return last;
  const leaf = createLeaf();
  list.leaves.push(leaf);
  return leaf;
}

function insertIntoLeaf(leaf: Leaf, index: number, row: Row): void {
  const order = row.order ?? row.id;
  const text = row.text ?? "";
  const marks = row.marks ?? NO_MARKS;
  if (index === leaf.ids.length) {
    leaf.ids.push(row.id);
    leaf.orders.push(order);
    leaf.texts.push(text);
    leaf.marks.push(marks);
  } else {
    leaf.ids.splice(index, 0, row.id);
    leaf.orders.splice(index, 0, order);
    leaf.texts.splice(index, 0, text);
    leaf.marks.splice(index, 0, marks);
  }
}

function addToCounts(list: RowTree, id: string, order: string, marks: readonly string[]): void {
  list.size++;
  if (order !== id) list.orders.set(id, order);
  const own = new Set(marks);
  for (const mark of own) addMark(list.marks, mark, id);
  updateTotals(list.totals, null, own);
}

function markChanged(list: RowTree, leaf: Leaf): void {
  leaf.index = null;
  if (leaf.stored !== null) list.obsolete.push(leaf.stored);
  leaf.stored = null;
}

function splitLeaf(list: RowTree, leafIndex: number): void {
  const leaf = list.leaves[leafIndex];
  if (leaf === undefined) return;
  const half = leaf.ids.length >>> 1;
  const right: Leaf = {
    ids: leaf.ids.splice(half),
    orders: leaf.orders.splice(half),
    texts: leaf.texts.splice(half),
    marks: leaf.marks.splice(half),
    index: null,
    stored: null,
  };
  list.leaves.splice(leafIndex + 1, 0, right);
}

/** Merges small neighbors, so that removing many rows doesn't leave many tiny leaves. */
function mergeWithNext(list: RowTree, leafIndex: number): void {
  const leaf = list.leaves[leafIndex];
  const next = list.leaves[leafIndex + 1];
  if (leaf === undefined || next === undefined || leaf.ids.length + next.ids.length > MAX_LEAF_ROWS / 2) return;
  markChanged(list, next);
  leaf.ids.push(...next.ids);
  leaf.orders.push(...next.orders);
  leaf.texts.push(...next.texts);
  leaf.marks.push(...next.marks);
  list.leaves.splice(leafIndex + 1, 1);
}

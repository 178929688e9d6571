/**
 * The rows of a list: three trees that change together. Pure. A change is made at once if the leaves that it touches are in
 * memory, and otherwise says which are not.
 */
import type { Row, RowChange } from "../../../ports/store.ts";
import { isPut } from "../../commits/document-rows.ts";
import { type CombinedTotals, updateTotals } from "../combined-totals.ts";
import { hasOwnOrder, idOf, keyOf } from "../row-key.ts";
import { type Entry, indexOf, isAt, marksAt, NO_MARKS, type Place, textAt } from "./columns.ts";
import {
  createTree,
  insertEntry,
  type Leaf,
  leafOf,
  mergeCandidate,
  type PagedTree,
  removeEntry,
  replaceEntry,
  type TreeHistory,
} from "./paged-tree.ts";
import { createSharedMarks, type SharedMarks } from "./shared-marks.ts";

export interface RowList {
  readonly rows: PagedTree;
  /** The rows of each mark. */
  readonly marks: PagedTree;
  /** Where rows are that are not ordered by their ID. */
  readonly orders: PagedTree;
  readonly history: TreeHistory;
  /** Totals of queries by several marks. */
  readonly totals: CombinedTotals;
  readonly sharedMarks: SharedMarks;
}

/** Maximum number of entries of a leaf. */
export interface LeafSizes {
  readonly rows: number;
  readonly marks: number;
  readonly orders: number;
}

/** At some 20 characters an entry, a leaf has 100 to 200 KB. A root names some 600 leaves for a million rows. */
export const LEAF_SIZES: LeafSizes = { rows: 5_000, marks: 10_000, orders: 5_000 };

export function createRowList(sizes: LeafSizes = LEAF_SIZES): RowList {
  const history: TreeHistory = { opened: 0, open: 0, obsolete: [] };
  return {
    rows: createTree("rows", sizes.rows, history),
    marks: createTree("marks", sizes.marks, history),
    orders: createTree("orders", sizes.orders, history),
    history,
    totals: new Map(),
    sharedMarks: createSharedMarks(),
  };
}

export const treesOf = ({ rows, marks, orders }: RowList): readonly PagedTree[] => [rows, marks, orders];

/** Leaves that must be in memory for what was asked. */
export interface MissingLeaves {
  readonly missing: readonly Leaf[];
}

export function isMissing<Answer>(answer: Answer | MissingLeaves): answer is MissingLeaves {
  return typeof answer === "object" && answer !== null && "missing" in answer;
}

const NOTHING_MISSING: readonly Leaf[] = [];

/** Puts or deletes a row. Returns the leaves that must be in memory before. If there are any, nothing has changed. */
export function changeRow(list: RowList, change: RowChange): readonly Leaf[] {
  return visitRow(list, change, true);
}

/** Returns leaves that must be in memory before a row can be changed. These may then show that others are needed, too. */
export function leavesToChange(list: RowList, change: RowChange): readonly Leaf[] {
  return visitRow(list, change, false);
}

/** @param changes Whether to change the row if no leaf is missing. */
function visitRow(list: RowList, change: RowChange, changes: boolean): readonly Leaf[] {
  const id = isPut(change) ? change.put.id : change.delete;
  const after = isPut(change) ? entryOf(change.put, list.sharedMarks) : null;
  const missing: Leaf[] = [];
  const before = findEntry(list, id, missing);
  if (after !== null) requireLeaf(list.rows, after, missing);
  const added = before == null && after !== null ? after.marks : NO_MARKS;
  for (const mark of added) requireLeaf(list.marks, { mark, key: after?.key ?? "" }, missing);
  if (before === undefined) return missing;
  if (before === null) {
    if (after === null) return NOTHING_MISSING;
    if (missing.length > 0 || !changes) return missing;
    addEntry(list, after);
    return NOTHING_MISSING;
  }
  const replacement = replacementOf(list, before, after, missing);
  if (replacement === null) return NOTHING_MISSING;
  if (missing.length === 0 && changes) replaceRow(list, before, after, replacement);
  return missing;
}

function addEntry(list: RowList, entry: Entry): void {
  const { key } = entry;
  insertEntry(list.rows, entry);
  for (const mark of marksWithout(entry.marks, NO_MARKS)) insertEntry(list.marks, markEntry(mark, key));
  if (hasOwnOrder(key)) insertEntry(list.orders, orderEntry(key));
  if (list.totals.size > 0) updateTotals(list.totals, null, new Set(entry.marks));
}

/** Returns the marks that others don't have, each once. */
function marksWithout(marks: readonly string[], others: readonly string[]): readonly string[] {
  if (marks === others || marks.length === 0) return NO_MARKS;
  if (marks.length > FEW_MARKS || others.length > FEW_MARKS) {
    const known = new Set(others);
    return [...new Set(marks)].filter((mark) => !known.has(mark));
  }
  const left: string[] = [];
  for (const mark of marks) if (!others.includes(mark) && !left.includes(mark)) left.push(mark);
  return left;
}

/** So many marks are compared faster one by one than in a set. */
const FEW_MARKS = 16;

/** How a row is replaced or removed. */
interface Replacement {
  readonly removedMarks: readonly string[];
  readonly addedMarks: readonly string[];
  /** Whether it keeps its place. */
  readonly stays: boolean;
  /** Whether its order becomes its ID. */
  readonly leavesOrders: boolean;
}

/** Returns null if nothing changes: a leaf whose rows stay the same is not stored again. */
function replacementOf(list: RowList, before: Entry, after: Entry | null, missing: Leaf[]): Replacement | null {
  const { key } = before;
  const stays = after !== null && after.key === key;
  const removedMarks = marksWithout(before.marks, stays ? after.marks : NO_MARKS);
  const addedMarks = marksWithout(after?.marks ?? NO_MARKS, stays ? before.marks : NO_MARKS);
  if (stays && removedMarks.length + addedMarks.length === 0 && after.text === before.text) return null;
  if (!stays) requireForRemoval(list.rows, before, missing);
  for (const mark of addedMarks) requireLeaf(list.marks, { mark, key: after?.key ?? "" }, missing);
  for (const mark of removedMarks) requireForRemoval(list.marks, { mark, key }, missing);
  const leavesOrders = hasOwnOrder(key) && (after === null || !hasOwnOrder(after.key));
  if (leavesOrders) requireForRemoval(list.orders, placeOfOrder(idOf(key)), missing);
  return { removedMarks, addedMarks, stays, leavesOrders };
}

function replaceRow(list: RowList, before: Entry, after: Entry | null, replacement: Replacement): void {
  const { stays, leavesOrders } = replacement;
  // All trees keep the same text of a key.
  const key = after === null || stays ? before.key : after.key;
  // A removal may remove a leaf, and what comes into its place then belongs into another one. So insertions come first.
  for (const mark of replacement.addedMarks) insertEntry(list.marks, markEntry(mark, key));
  if (after !== null && stays) replaceEntry(list.rows, after);
  if (after !== null && !stays) {
    insertEntry(list.rows, after);
    if (hasOwnOrder(before.key) && !leavesOrders) replaceEntry(list.orders, orderEntry(key));
    else if (hasOwnOrder(key)) insertEntry(list.orders, orderEntry(key));
  }
  if (!stays) removeEntry(list.rows, before);
  for (const mark of replacement.removedMarks) removeEntry(list.marks, { mark, key: before.key });
  if (leavesOrders) removeEntry(list.orders, placeOfOrder(idOf(before.key)));
  if (list.totals.size === 0) return;
  updateTotals(list.totals, new Set(before.marks), after === null ? null : new Set(after.marks));
}

/** Returns whether a row exists, or the leaf that must be in memory before. */
export function hasRow(list: RowList, id: string): boolean | MissingLeaves {
  const missing: Leaf[] = [];
  const found = findEntry(list, id, missing);
  return found === undefined ? { missing } : found !== null;
}

/** Returns the marks of a row, null if there is none, or the leaf that must be in memory before. */
export function marksOfRow(list: RowList, id: string): readonly string[] | null | MissingLeaves {
  const missing: Leaf[] = [];
  const found = findEntry(list, id, missing);
  return found === undefined ? { missing } : (found?.marks ?? null);
}

/** Returns the entry of a row, or null if there is none. Undefined if a leaf is missing, which is added. */
function findEntry(list: RowList, id: string, missing: Leaf[]): Entry | null | undefined {
  const found = findKey(list, id, missing);
  if (found === undefined) return undefined;
  const place: Place = { mark: "", key: found };
  const leaf = requireLeaf(list.rows, place, missing);
  if (leaf === undefined) return null;
  const { content } = leaf;
  if (content === null) return undefined;
  const index = indexOf(content, place);
  if (!isAt(content, index, place)) return null;
  return { mark: "", key: content.key[index] ?? found, text: textAt(content, index), marks: marksAt(content, index) };
}

function findKey({ orders }: RowList, id: string, missing: Leaf[]): string | undefined {
  const place = placeOfOrder(id);
  const leaf = requireLeaf(orders, place, missing);
  if (leaf === undefined) return id;
  if (leaf.content === null) return undefined;
  const index = indexOf(leaf.content, place);
  return isAt(leaf.content, index, place) ? leaf.content.key[index] : id;
}

/** Returns the leaf of a place. If it is not in memory, adds it to the missing ones. */
function requireLeaf(tree: PagedTree, place: Place, missing: Leaf[]): Leaf | undefined {
  const leaf = tree.leaves[leafOf(tree.leaves, place)];
  if (leaf === undefined) return undefined;
  leaf.isUsed = true;
  if (leaf.content === null) missing.push(leaf);
  return leaf;
}

function requireForRemoval(tree: PagedTree, place: Place, missing: Leaf[]): void {
  requireLeaf(tree, place, missing);
  const next = mergeCandidate(tree, leafOf(tree.leaves, place));
  if (next !== null && next.content === null) missing.push(next);
}

function entryOf({ id, order = id, text = "", marks = NO_MARKS }: Row, shared: SharedMarks): Entry {
  return { mark: "", key: keyOf({ order, id }), text, marks: shared.of(marks) };
}

function markEntry(mark: string, key: string): Entry {
  return { mark, key, text: "", marks: NO_MARKS };
}

/** Where the key of a row is found. */
function orderEntry(key: string): Entry {
  return { mark: "", key, text: "", marks: NO_MARKS };
}

const placeOfOrder = (id: string): Place => ({ mark: "", key: id });

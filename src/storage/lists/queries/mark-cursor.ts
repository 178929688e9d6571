/** Walks over the rows of a mark in the order of a query. */

import { afterKey, compareKeys } from "../row-key.ts";
import { type Columns, indexOf, type Place } from "../trees/columns.ts";
import { leafOf } from "../trees/paged-tree.ts";
import { contentOf, type ListView, type Reading } from "./reading.ts";
import { boundsIn, leavesOf, type RowRange, rangeOfMark, type TreeRange } from "./tree-range.ts";

export interface MarkCursor {
  /** The key of the row that it has reached; null at the end. */
  current: string | null;
  readonly mark: string;
  readonly descending: boolean;
  readonly range: TreeRange;
  readonly firstLeaf: number;
  readonly lastLeaf: number;
  leaf: number;
  content: Columns | null;
  /** The entries of the leaf that count, from `start` up to, but not including, `end`. */
  start: number;
  end: number;
  index: number;
}

/** Returns a cursor at the first row. */
export function* openCursor(view: ListView, mark: string, rows: RowRange, descending: boolean): Reading<MarkCursor> {
  const range = rangeOfMark(mark, rows);
  const [firstLeaf, lastLeaf] = leavesOf(view.marks, range);
  const leaf = descending ? lastLeaf : firstLeaf;
  const content = null;
  const cursor = { mark, descending, range, firstLeaf, lastLeaf, leaf, content, start: 0, end: 0, index: 0 };
  const opened: MarkCursor = { ...cursor, current: null };
  yield* enterLeaf(view, opened, leaf);
  return opened;
}

/** Goes to the next row of the leaf. Returns whether there is one; if not, {@link enterNext} goes to the next leaf. */
export function advance(cursor: MarkCursor): boolean {
  cursor.index += cursor.descending ? -1 : 1;
  return setCurrent(cursor);
}

export function* enterNext(view: ListView, cursor: MarkCursor): Reading<void> {
  yield* enterLeaf(view, cursor, cursor.leaf + (cursor.descending ? -1 : 1));
}

/** Goes to the first row that is not before a key, in the order of the query. */
export function* seek(view: ListView, cursor: MarkCursor, key: string): Reading<void> {
  const { current, content, descending, start, end } = cursor;
  if (current === null || content === null || !isBehind(key, current, descending)) return;
  const { mark } = cursor;
  const bound: Place = { mark, key: descending ? afterKey(key) : key };
  const index = indexOf(content, bound);
  if (descending ? index > start : index < end) {
    cursor.index = descending ? index - 1 : index;
    setCurrent(cursor);
    return;
  }
  const next = leafOf(view.marks.leaves, bound);
  yield* enterLeaf(view, cursor, descending ? Math.min(next, cursor.leaf - 1) : Math.max(next, cursor.leaf + 1));
  // The leaf may begin before the key.
  if (cursor.content !== content) yield* seek(view, cursor, key);
}

/** Goes to the first row of a leaf, or of the leaves after it. */
function* enterLeaf(view: ListView, cursor: MarkCursor, first: number): Reading<void> {
  const { descending, firstLeaf, lastLeaf, range } = cursor;
  for (let at = first; at >= firstLeaf && at <= lastLeaf; at += descending ? -1 : 1) {
    const leaf = view.marks.leaves[at];
    if (leaf === undefined) break;
    const content = yield* contentOf(leaf);
    const [start, end] = boundsIn(content, range, at === firstLeaf, at === lastLeaf);
    cursor.leaf = at;
    cursor.content = content;
    cursor.start = start;
    cursor.end = end;
    cursor.index = descending ? end - 1 : start;
    if (setCurrent(cursor)) return;
  }
  cursor.current = null;
}

function setCurrent(cursor: MarkCursor): boolean {
  const { content, index, start, end } = cursor;
  if (content === null || index < start || index >= end) return false;
  cursor.current = content.key[index] ?? "";
  return true;
}

/** Whether a key comes after another one, in the order of the query. */
export function isBehind(key: string, other: string, descending: boolean): boolean {
  const difference = compareKeys(key, other);
  return descending ? difference < 0 : difference > 0;
}

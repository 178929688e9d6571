/**
 * A sorted tree of two levels whose leaves need not be in memory. Pure: nothing here loads or stores them.
 *
 * A read that takes several turns of the event loop opens a snapshot. Leaves are then copied before they change, so the
 * snapshot stays as it was.
 */
import {
  appendAll,
  type Columns,
  comparePlaces,
  copyColumns,
  createColumns,
  type Entry,
  indexOf,
  insertAt,
  isAt,
  markAt,
  type Place,
  placeAt,
  placeOf,
  removeAt,
  removeFrom,
  replaceAt,
  type TreeKind,
} from "./columns.ts";

export interface Leaf {
  /** Null if it is not in memory. */
  content: Columns | null;
  /** Number of entries. */
  count: number;
  /** All of its entries are at or after this place, and those of earlier leaves before it. */
  readonly first: Place;
  /** Name of the stored leaf, or null if it has changed since. */
  name: string | null;
  /** Whether the driver has it under its name, so memory may give it up. */
  isStored: boolean;
  /** Whether it was used since the cache last looked. */
  isUsed: boolean;
  /** Number of operations that keep it in memory. */
  pins: number;
  /** Whether another leaf has taken its place. Only snapshots read it. */
  isReplaced: boolean;
  /** Number of snapshots that had been opened when it was created. */
  readonly since: number;
}

/** What the trees of a list have in common. */
export interface TreeHistory {
  /** Number of snapshots that have been opened. */
  opened: number;
  /** Number of snapshots that are open. */
  open: number;
  /** Names of stored leaves that no longer belong to the list. */
  obsolete: string[];
}

export interface LeafSequence {
  readonly leaves: readonly Leaf[];
  /** Number of entries. */
  readonly size: number;
}

export interface PagedTree extends LeafSequence {
  readonly kind: TreeKind;
  readonly leaves: Leaf[];
  size: number;
  readonly maxEntries: number;
  readonly history: TreeHistory;
}

export function createTree(kind: TreeKind, maxEntries: number, history: TreeHistory): PagedTree {
  return { kind, leaves: [], size: 0, maxEntries, history };
}

/** Appends a stored leaf, without its content. */
export function addStoredLeaf(tree: PagedTree, name: string, count: number, first: Place): void {
  const since = tree.history.opened;
  tree.leaves.push({
    content: null,
    count,
    first,
    name,
    isStored: true,
    isUsed: false,
    pins: 0,
    isReplaced: false,
    since,
  });
  tree.size += count;
}

/** Returns the index of the only leaf that may have an entry at a place. */
export function leafOf(leaves: readonly Leaf[], place: Place): number {
  let low = 0;
  let high = leaves.length - 1;
  const last = leaves[high];
  if (last === undefined || comparePlaces(last.first, place) <= 0) return Math.max(0, high);
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    const leaf = leaves[middle];
    if (leaf !== undefined && comparePlaces(leaf.first, place) <= 0) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Adds an entry, whose leaf must be in memory. */
export function insertEntry(tree: PagedTree, entry: Entry): void {
  const place = placeOf(tree.kind, entry);
  const at = leafOf(tree.leaves, place);
  const leaf = tree.leaves[at];
  if (leaf === undefined) {
    tree.leaves.push(newLeaf(tree, place, createColumns(tree.kind)));
    insertEntry(tree, entry);
    return;
  }
  const index = indexOf(contentOf(leaf), place);
  if (index === leaf.count && leaf.count >= tree.maxEntries) {
    // A full leaf is not split, so that appending only adds leaves.
    tree.leaves.splice(at + 1, 0, newLeaf(tree, place, createColumns(tree.kind)));
    insertEntry(tree, entry);
    return;
  }
  const own = writable(tree, at);
  const content = contentOf(own);
  insertAt(content, index, entry);
  own.count++;
  tree.size++;
  if (own.count > tree.maxEntries) splitLeaf(tree, at, splitIndex(content, index, tree.maxEntries));
}

/** Replaces what the entry at a place has besides it. */
export function replaceEntry(tree: PagedTree, entry: Entry): void {
  const place = placeOf(tree.kind, entry);
  const content = contentOf(writable(tree, leafOf(tree.leaves, place)));
  replaceAt(content, indexOf(content, place), entry);
}

/** Removes the entry at a place, whose leaf must be in memory. */
export function removeEntry(tree: PagedTree, place: Place): void {
  const at = leafOf(tree.leaves, place);
  const leaf = tree.leaves[at];
  if (leaf === undefined) return;
  const index = indexOf(contentOf(leaf), place);
  if (!isAt(contentOf(leaf), index, place)) return;
  const own = writable(tree, at);
  removeAt(contentOf(own), index);
  own.count--;
  tree.size--;
  if (own.count === 0) tree.leaves.splice(at, 1);
  else mergeWithNext(tree, at);
}

/** The leaf that would be merged if an entry of a leaf were removed. Removing many entries must not leave many tiny leaves. */
export function mergeCandidate({ leaves, maxEntries }: PagedTree, at: number): Leaf | null {
  const leaf = leaves[at];
  const next = leaves[at + 1];
  if (leaf === undefined || next === undefined || leaf.count <= 1) return null;
  return leaf.count - 1 + next.count <= maxEntries / 2 ? next : null;
}

function mergeWithNext(tree: PagedTree, at: number): void {
  const leaf = tree.leaves[at];
  const next = tree.leaves[at + 1];
  if (leaf === undefined || next === undefined || next.content === null) return;
  if (leaf.count + next.count > tree.maxEntries / 2) return;
  appendAll(contentOf(leaf), next.content);
  leaf.count += next.count;
  if (next.name !== null) tree.history.obsolete.push(next.name);
  tree.leaves.splice(at + 1, 1);
}

function contentOf({ content }: Leaf): Columns {
  if (content === null) throw new Error("A leaf of a list changes without being in memory.");
  return content;
}

function newLeaf({ history }: PagedTree, first: Place, content: Columns): Leaf {
  const since = history.opened;
  const count = content.key.length;
  return { content, count, first, name: null, isStored: false, isUsed: true, pins: 0, isReplaced: false, since };
}

/** Returns the leaf to change: itself, or a copy if a snapshot may read it. */
function writable(tree: PagedTree, at: number): Leaf {
  const { history, leaves } = tree;
  const leaf = leaves[at];
  if (leaf === undefined) throw new Error("A leaf of a list is missing.");
  if (leaf.name !== null) history.obsolete.push(leaf.name);
  if (history.open > 0 && leaf.since !== history.opened) {
    const copy = newLeaf(tree, leaf.first, copyColumns(contentOf(leaf)));
    leaves[at] = copy;
    leaf.isReplaced = true;
    return copy;
  }
  leaf.name = null;
  leaf.isStored = false;
  return leaf;
}

/**
 * Rows of one mark mostly come in order, so a leaf is split behind the last one, unless this makes too small a leaf. Rows that
 * are nearly in order come close to the end of a leaf, which stays nearly full.
 */
function splitIndex(content: Columns, inserted: number, maxEntries: number): number {
  const next = inserted + 1;
  const isEndOfMark = next < content.key.length && markAt(content, next) !== markAt(content, inserted);
  if (isEndOfMark && next >= maxEntries / 4 && next <= (3 * maxEntries) / 4) return next;
  const nearEnd = Math.ceil((maxEntries * 31) / 32);
  return inserted > nearEnd ? nearEnd : (maxEntries + 1) >>> 1;
}

function splitLeaf(tree: PagedTree, at: number, index: number): void {
  const leaf = tree.leaves[at];
  if (leaf === undefined) return;
  const content = contentOf(leaf);
  const right = removeFrom(content, index);
  leaf.count = content.key.length;
  const first = placeBetween(placeAt(content, leaf.count - 1), placeAt(right, 0));
  tree.leaves.splice(at + 1, 0, newLeaf(tree, first, right));
}

/** Returns a place after one entry and not after the next. Marks may be long, and the root names a place for each leaf. */
function placeBetween(last: Place, next: Place): Place {
  if (last.mark === next.mark) return next;
  let length = 0;
  while (last.mark[length] === next.mark[length]) length++;
  return { mark: next.mark.slice(0, length + 1), key: "" };
}

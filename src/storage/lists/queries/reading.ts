/**
 * Reads of a list that go on when a leaf has come into memory. Pure: a read yields the leaf that it needs and receives its
 * content. If all leaves are in memory, it ends without having yielded anything.
 */

import type { CombinedTotals } from "../combined-totals.ts";
import type { Columns } from "../trees/columns.ts";
import type { Leaf, LeafSequence } from "../trees/paged-tree.ts";
import type { RowList } from "../trees/row-list.ts";

/** Yields a leaf to read, or null where the event loop may turn. */
export type Reading<Result> = Generator<Leaf | null, Result, Columns | undefined>;

/** What a read sees of a tree. Reads keep this object, so it is the leaves in it that are replaced when the view is frozen. */
export interface TreeView extends LeafSequence {
  leaves: readonly Leaf[];
}

/** What a read sees of a list. */
export interface ListView {
  readonly rows: TreeView;
  readonly marks: TreeView;
  /** Of the list as it is now. */
  readonly totals: CombinedTotals;
}

/** Views a list until it changes. */
export function viewOf({ rows, marks, totals }: RowList): ListView {
  return {
    rows: { leaves: rows.leaves, size: rows.size },
    marks: { leaves: marks.leaves, size: marks.size },
    totals,
  };
}

/** Keeps a view as it is, while the list changes. Returns a function that must be called when the read has ended. */
export function freezeView(view: ListView, { rows, marks, history }: RowList): () => void {
  view.rows.leaves = [...rows.leaves];
  view.marks.leaves = [...marks.leaves];
  return openSnapshot(history);
}

/** From now on, leaves are copied before they change. Returns a function that ends this. */
export function openSnapshot(history: RowList["history"]): () => void {
  history.opened++;
  history.open++;
  return () => {
    history.open--;
  };
}

export function* contentOf(leaf: Leaf): Reading<Columns> {
  leaf.isUsed = true;
  const content = leaf.content ?? (yield leaf);
  if (content === undefined) throw new Error("A leaf was asked for, and not given.");
  return content;
}

/** Number of leaves of rows, or of chunks of other work, after which the event loop may turn. */
const LEAVES_PER_PAUSE = 8;

/** @param done Number of leaves read so far. */
export function* pauseAfter(done: number): Reading<void> {
  if (done % LEAVES_PER_PAUSE === 0) yield null;
}

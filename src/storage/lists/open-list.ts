/** A list in use. Its changes wait until the leaves that they touch are in memory, and come first in all that reads it. */
import type { RowChange } from "../../ports/store.ts";
import { forEachParallel } from "../driver/parallel.ts";
import type { MirroredItem } from "../log/mirrored-item.ts";
import type { LeafCache } from "./leaf-cache.ts";
import type { Root } from "./trees/list-root.ts";
import type { Leaf } from "./trees/paged-tree.ts";
import { changeRow, leavesToChange, type RowList } from "./trees/row-list.ts";

/** Asks for the number of rows after the changes before it, and before those behind it. */
interface Count {
  /** Null until these changes are made. */
  total: number | null;
}

export interface OpenList {
  readonly name: string;
  readonly rows: RowList;
  readonly rootItem: MirroredItem<Root>;
  /** Changes that are not in the trees yet, in order, and counts of the rows between them. */
  readonly pending: (RowChange | Count)[];
  /** Set while leaves are read for changes. */
  settling: Promise<void> | null;
  /** Number of checkpoints that store it. */
  saves: number;
  /** When it was last asked for. */
  lastUse: number;
}

/** Number of changes whose leaves are read together. */
const CHANGES_PER_READ = 64;
/** Number of changes after which the event loop may turn. */
const CHANGES_PER_PAUSE = 256;

/** Makes a change, at once if possible. */
export function applyChange(list: OpenList, change: RowChange): void {
  if (list.pending.length > 0 || changeRow(list.rows, change).length > 0) list.pending.push(change);
}

/** Returns the number of rows after the changes so far, also if others come before those are made. */
export async function countRows(list: OpenList, cache: LeafCache, pause: () => Promise<void> | null): Promise<number> {
  const { rows, pending } = list;
  if (pending.length === 0) return rows.rows.size;
  const count: Count = { total: null };
  pending.push(count);
  try {
    while (count.total === null) await settleChanges(list, cache, pause);
    return count.total;
  } finally {
    // If the driver fails, the changes wait for the next reader, who does not need the count.
    if (count.total === null) pending.splice(pending.indexOf(count), 1);
  }
}

/** Resolves when the changes so far are made. Null if they are. */
export function settleChanges(
  list: OpenList,
  cache: LeafCache,
  pause: () => Promise<void> | null,
): Promise<void> | null {
  if (list.pending.length === 0) return null;
  if (list.settling === null) {
    const settling = settle(list, cache, pause).finally(() => {
      list.settling = null;
    });
    list.settling = settling;
  }
  return list.settling;
}

async function settle(list: OpenList, cache: LeafCache, pause: () => Promise<void> | null): Promise<void> {
  const { rows, pending } = list;
  const pinned = new Set<Leaf>();
  let made = 0;
  try {
    while (made < pending.length) {
      const change = pending[made];
      if (change === undefined || makeOrCount(rows, change)) {
        made++;
        if (made % CHANGES_PER_PAUSE === 0) await pause();
        continue;
      }
      const next = pending.slice(made, made + CHANGES_PER_READ);
      const leaves = next.flatMap((later) => (isCount(later) ? [] : leavesToChange(rows, later)));
      await pinLeaves(list.name, new Set(leaves), pinned, cache);
    }
  } finally {
    pending.splice(0, made);
    for (const leaf of pinned) cache.unpin(leaf);
  }
}

/** Returns whether it was possible with the leaves in memory. */
function makeOrCount(rows: RowList, next: RowChange | Count): boolean {
  if (!isCount(next)) return changeRow(rows, next).length === 0;
  next.total = rows.rows.size;
  return true;
}

function isCount(next: RowChange | Count): next is Count {
  return "total" in next;
}

/** Brings leaves into memory. They stay until they are unpinned. */
export async function pinLeaves(
  name: string,
  leaves: Iterable<Leaf>,
  pinned: Set<Leaf>,
  cache: LeafCache,
): Promise<void> {
  await forEachParallel(leaves, async (leaf) => {
    if (!pinned.has(leaf)) leaf.pins++;
    pinned.add(leaf);
    await cache.read(name, leaf);
  });
}

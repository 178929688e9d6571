/** Stores what has changed of a list. */
import type { ChecksummedItems } from "../driver/checksummed-items.ts";
import { forEachParallel } from "../driver/parallel.ts";
import type { LeafCache } from "./leaf-cache.ts";
import type { OpenList } from "./open-list.ts";
import { openSnapshot } from "./queries/reading.ts";
import { leafKey } from "./stored-list.ts";
import type { Columns } from "./trees/columns.ts";
import { formatLeaf } from "./trees/leaf-text.ts";
import { formatRoot } from "./trees/list-root.ts";
import type { Leaf } from "./trees/paged-tree.ts";
import { treesOf } from "./trees/row-list.ts";

interface ChangedLeaf {
  readonly leaf: Leaf;
  readonly name: string;
  readonly content: Columns;
}

/**
 * Stores the leaves that have changed, and then the root. If it rejects, the next call stores them again.
 * @param nextName Returns a name that no leaf has had.
 * @param turn Resolves when the next leaf may be stored.
 */
export async function saveList(parts: {
  list: OpenList;
  items: ChecksummedItems;
  cache: LeafCache;
  nextName: () => string;
  turn: () => Promise<void>;
}): Promise<void> {
  const { list, items, cache, nextName, turn } = parts;
  const { rows, rootItem } = list;
  // A snapshot in the same turn: what changes from here on is for the next save, and is not written.
  const release = openSnapshot(rows.history);
  const { obsolete } = rows.history;
  rows.history.obsolete = [];
  const changed = nameChangedLeaves(list, nextName);
  const root = formatRoot(rows, ({ name }) => name ?? "", obsolete);
  try {
    // A new leaf may be torn: nothing reads it before the root names it.
    await forEachParallel(changed, async (one) => {
      await turn();
      await items.write(leafKey(list.name, one.name), formatLeaf(one.content), { exclusive: true });
    });
    await rootItem.write(root);
  } catch (error) {
    for (const { leaf, name } of changed) {
      if (leaf.name === name) leaf.name = null;
      rows.history.obsolete.push(name);
    }
    for (const name of obsolete) rows.history.obsolete.push(name);
    throw error;
  } finally {
    release();
  }
  for (const { leaf, content } of changed) {
    leaf.isStored = true;
    if (!leaf.isReplaced) cache.keep(leaf, content);
  }
  await removeLeaves(list, obsolete, items);
}

function nameChangedLeaves({ rows }: OpenList, nextName: () => string): ChangedLeaf[] {
  const changed: ChangedLeaf[] = [];
  for (const { leaves } of treesOf(rows)) {
    for (const leaf of leaves) {
      if (leaf.name !== null || leaf.content === null) continue;
      leaf.name = nextName();
      changed.push({ leaf, name: leaf.name, content: leaf.content });
    }
  }
  return changed;
}

/** If a leaf cannot be deleted, the next save retries, because the catalog marks the list, also after a restart. */
async function removeLeaves(
  { name, rows }: OpenList,
  leaves: readonly string[],
  items: ChecksummedItems,
): Promise<void> {
  const { history } = rows;
  await forEachParallel(leaves, async (leaf) => {
    try {
      // A read in progress may still need it.
      if (history.open > 0) history.obsolete.push(leaf);
      else await items.remove(leafKey(name, leaf));
    } catch {
      history.obsolete.push(leaf);
    }
  });
}

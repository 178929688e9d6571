/**
 * The leaves of all lists that are in memory and can be read again. Each use of a leaf sets a flag, which costs less than a
 * place in an order of uses: the oldest leaf that was not used since the last look is given up first.
 */
import { type Columns, memoryOf } from "./trees/columns.ts";
import type { Leaf } from "./trees/paged-tree.ts";

export interface LeafCache {
  /** Returns the content of a stored leaf, and keeps it in memory. @param list Name of its list. */
  read(list: string, leaf: Leaf): Promise<Columns>;
  /** Returns the content of a stored leaf without keeping it, for operations that read many. */
  readOnce(list: string, leaf: Leaf): Promise<Columns>;
  /** Keeps a leaf that has been stored. @param content Of the leaf. */
  keep(leaf: Leaf, content: Columns): void;
  /** Lets memory give up a leaf again that was pinned. */
  unpin(leaf: Leaf): void;
  /** What is kept: number of leaves, and the memory that they take, in bytes, roughly. */
  readonly held: { readonly leaves: number; readonly size: number };
}

/** @param maxSize Maximum memory of the leaves, in bytes, roughly. */
export function createLeafCache(
  readLeaf: (list: string, leaf: string) => Promise<Columns>,
  maxSize: number,
): LeafCache {
  /** What each leaf takes, oldest first. */
  const kept = new Map<Leaf, number>();
  const loading = new Map<Leaf, Promise<Columns>>();
  let total = 0;

  function keep(leaf: Leaf, content: Columns): void {
    const size = memoryOf(content);
    total += size - (kept.get(leaf) ?? 0);
    kept.delete(leaf);
    kept.set(leaf, size);
    for (const [oldest, length] of kept) {
      if (total <= maxSize) return;
      kept.delete(oldest);
      if (oldest.isUsed && !oldest.isReplaced) {
        oldest.isUsed = false;
        kept.set(oldest, length);
        continue;
      }
      total -= length;
      giveUp(oldest);
    }
  }

  /** A leaf that has changed stays until a checkpoint has stored it, and is kept from then on. */
  function giveUp(leaf: Leaf): void {
    if (leaf.isStored && leaf.pins === 0) leaf.content = null;
  }

  async function load(list: string, leaf: Leaf): Promise<Columns> {
    const content = await readLeaf(list, leaf.name ?? "");
    leaf.content = content;
    leaf.isUsed = true;
    keep(leaf, content);
    return content;
  }

  return {
    read(list, leaf) {
      if (leaf.content !== null) return Promise.resolve(leaf.content);
      let reading = loading.get(leaf);
      if (reading === undefined) {
        reading = load(list, leaf).finally(() => loading.delete(leaf));
        loading.set(leaf, reading);
      }
      return reading;
    },

    async readOnce(list, leaf) {
      return leaf.content ?? readLeaf(list, leaf.name ?? "");
    },

    keep,

    unpin(leaf) {
      leaf.pins--;
      if (!kept.has(leaf)) giveUp(leaf);
    },

    get held() {
      return { leaves: kept.size, size: total };
    },
  };
}

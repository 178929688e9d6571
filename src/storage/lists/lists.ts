/**
 * Lists on the driver. Leaves are written once under unique names, and a root names them in order. Leaf names begin
 * with the owner's generation, so two owners never write the same one. Only lists in use are in memory.
 */
import { damaged } from "../../errors.ts";
import type { Row, RowChange } from "../../ports/store.ts";
import { isPut } from "../commits/document-rows.ts";
import type { ChecksummedItems } from "../driver/checksummed-items.ts";
import type { Ownership } from "../driver/ownership.ts";
import { forEachParallel } from "../driver/parallel.ts";
import { CATALOG } from "../keys.ts";
import type { CheckpointPacer } from "../log/checkpoint-pacing.ts";
import { COPIES, type MirroredItem } from "../log/mirrored-item.ts";
import { createListCatalog, type ListState, type RootMeaning } from "./catalog.ts";
import {
  addStoredLeaf,
  copyColumns,
  createRowTree,
  deleteRow,
  type Leaf,
  type LeafColumns,
  leafRows,
  putRow,
  type RowTree,
} from "./row-tree.ts";
import { createStoredLists, leafKey, NO_ROOT, type Root } from "./stored-list.ts";

export interface Lists {
  /** Loads the rows of a list with all applied changes. */
  load(name: string): Promise<RowTree>;
  /** Returns the rows of a list if they are in memory. */
  loaded(name: string): RowTree | undefined;
  /** The number of rows of a list that is not in memory and has not changed since it was stored. Null for any other. */
  countStored(name: string): Promise<number | null>;
  /** Applies a change that is in the log. */
  apply(change: RowChange): void;
  /** Number of leaves in memory that have changed. */
  countChanged(): number;
  /**
   * Stores every changed list. If it rejects, whatever was not stored is retried by the next call.
   * @param turn Resolves when the next leaf may be stored.
   */
  save(turn?: CheckpointPacer["waitForTurn"]): Promise<void>;
  /**
   * Reads a list as it is stored, without keeping it in memory.
   * @throws StepwellError `unavailable` if an item of it is damaged or missing, or the driver fails.
   */
  read(name: string): Promise<readonly Row[]>;
  /**
   * Replaces the rows of a list that has not been loaded. `save` stores them.
   * @param leaves Names of all stored leaves, which are deleted once the new ones are stored.
   */
  replace(name: string, rows: readonly Row[], leaves: readonly string[]): Promise<void>;
  /** Whether any list is stored, which means that a checkpoint has run, at least partly. */
  hasStoredLists(): Promise<boolean>;
}

interface List {
  readonly rows: RowTree;
  readonly rootItem: MirroredItem<Root>;
}

export function createLists(items: ChecksummedItems, ownership: Ownership): Lists {
  /** Number of leaves written by this owner. */
  let leavesWritten = 0;
  const lists = new Map<string, List>();
  const loading = new Map<string, Promise<List>>();
  /** Changes of lists that are not in memory. */
  const pendingChanges = new Map<string, RowChange[]>();
  const changed = new Set<string>();
  /** Lists that were stored since the catalog was: a checkpoint may fail between the two. */
  const unnamed = new Set<string>();
  /** Numbers of rows of lists that were counted without reading them. */
  const counts = new Map<string, number>();
  const catalog = createListCatalog(async () => (await load(CATALOG)).rows);
  /** Whether this owner has stored the catalog. From then on, no late write of an earlier owner replaces it. */
  let hasStoredCatalog = false;

  const { rootItemOf, readLeaf } = createStoredLists(items);

  async function readStored(name: string, meaning: RootMeaning) {
    const rootItem = rootItemOf(name);
    const stored = await rootItem.read();
    if (stored === null && meaning === "has rows") throw damaged(`list:${name}`, `The list "${name}"`);
    const { leaves: named, obsolete } = stored ?? NO_ROOT;
    const root =
      meaning === "is empty" ? { leaves: [], obsolete: [...named, ...obsolete] } : { leaves: named, obsolete };
    const leaves = new Map<string, readonly Row[]>();
    await forEachParallel(root.leaves, async (leaf) => {
      leaves.set(leaf, await readLeaf(name, leaf));
    });
    return { rootItem, root, leaves };
  }

  async function read(name: string): Promise<List> {
    const meaning = name === CATALOG ? "unknown" : await catalog.find(name);
    const { rootItem, root, leaves } = await readStored(name, meaning);
    // No await from here on: a change must not fall between the pending ones and those applied directly.
    const rows = createRowTree();
    for (const leaf of root.leaves) addStoredLeaf(rows, leaves.get(leaf) ?? [], leaf);
    for (const leaf of root.obsolete) rows.obsolete.push(leaf);
    for (const change of pendingChanges.get(name) ?? []) applyRowChange(rows, change);
    pendingChanges.delete(name);
    const list = { rows, rootItem };
    lists.set(name, list);
    return list;
  }

  function load(name: string): Promise<List> {
    const known = lists.get(name);
    if (known !== undefined) return Promise.resolve(known);
    let reading = loading.get(name);
    if (reading === undefined) {
      reading = read(name).finally(() => loading.delete(name));
      loading.set(name, reading);
    }
    return reading;
  }

  async function save(name: string, turn: CheckpointPacer["waitForTurn"]): Promise<void> {
    const list = await load(name);
    const { rows } = list;
    // Synchronous snapshot. Changes applied while it is written mark leaves as changed again, for the next save. Only the
    // columns are copied: to serialize a list of 100,000 rows at once would block the event loop.
    changed.delete(name);
    const obsolete = rows.obsolete;
    rows.obsolete = [];
    const changedLeaves: { readonly leaf: Leaf; readonly stored: string; readonly columns: LeafColumns }[] = [];
    const leaves = rows.leaves.map((leaf) => {
      if (leaf.stored !== null) return leaf.stored;
      const stored = `${ownership.generation}.${leavesWritten++}`;
      leaf.stored = stored;
      changedLeaves.push({ leaf, stored, columns: copyColumns(leaf) });
      return stored;
    });
    const root: Root = { leaves, obsolete, size: rows.size };
    try {
      // A new leaf may be torn: nothing reads it before the root names it.
      await forEachParallel(changedLeaves, async ({ stored, columns }) => {
        await turn();
        await items.write(leafKey(name, stored), JSON.stringify(leafRows(columns)), { exclusive: true });
      });
      await list.rootItem.write(root);
      if (name !== CATALOG) unnamed.add(name);
    } catch (error) {
      for (const { leaf, stored } of changedLeaves) {
        if (leaf.stored !== stored) continue;
        leaf.stored = null;
        rows.obsolete.push(stored);
      }
      for (const leaf of obsolete) rows.obsolete.push(leaf);
      changed.add(name);
      throw error;
    }
    await removeLeaves(name, obsolete, rows);
  }

  /** If a leaf cannot be deleted, the next save retries, because the catalog marks the list, also after a restart. */
  async function removeLeaves(name: string, leaves: readonly string[], rows: RowTree): Promise<void> {
    await forEachParallel(leaves, async (leaf) => {
      try {
        await items.remove(leafKey(name, leaf));
      } catch {
        rows.obsolete.push(leaf);
      }
    });
  }

  function stateOf(name: string): ListState {
    const rows = lists.get(name)?.rows;
    const hasObsolete = rows !== undefined && rows.obsolete.length > 0;
    return { hasObsolete, isEmpty: rows?.size === 0 && !hasObsolete && !changed.has(name) };
  }

  /**
   * Removes the lists that were empty at the last checkpoint and have not changed since. The catalog then says that they are
   * empty, so a crash at any point leaves them so. A list that is in use is often empty, so it is not removed at once.
   */
  async function removeEmpty(turn: CheckpointPacer["waitForTurn"]): Promise<void> {
    // A checkpoint that failed may have stored a list without the catalog.
    const empty = (await catalog.listEmpty()).filter((name) => !changed.has(name) && !unnamed.has(name));
    await forEachParallel(empty, async (name) => {
      await turn();
      try {
        for (const copy of COPIES) await items.remove(leafKey(name, copy));
      } catch {
        return; // the next save retries
      }
      await catalog.forget(name);
      changed.add(CATALOG);
      counts.delete(name);
      if (!changed.has(name)) lists.delete(name);
    });
  }

  const isUnchanged = (name: string) => !lists.has(name) && !loading.has(name) && !pendingChanges.has(name);

  async function countStored(name: string): Promise<number | null> {
    if (!isUnchanged(name)) return null;
    const known = counts.get(name);
    if (known !== undefined) return known;
    const size = (await catalog.find(name)) === "is empty" ? 0 : (await rootItemOf(name).read())?.size;
    if (size === undefined || !isUnchanged(name)) return null;
    counts.set(name, size);
    return size;
  }

  return {
    load: async (name) => (await load(name)).rows,
    countStored,
    loaded: (name) => lists.get(name)?.rows,

    apply(change) {
      changed.add(change.list);
      counts.delete(change.list);
      const known = lists.get(change.list);
      if (known !== undefined) {
        applyRowChange(known.rows, change);
        return;
      }
      const others = pendingChanges.get(change.list);
      if (others === undefined) pendingChanges.set(change.list, [change]);
      else others.push(change);
    },

    countChanged() {
      const trees = [...changed].flatMap((name) => lists.get(name)?.rows ?? []);
      return trees.reduce((sum, { leaves }) => sum + leaves.filter(({ stored }) => stored === null).length, 0);
    },

    async save(turn = async () => undefined) {
      if (!hasStoredCatalog) await catalog.note(CATALOG, { hasObsolete: false, isEmpty: false });
      if (!hasStoredCatalog || changed.has(CATALOG)) await save(CATALOG, turn);
      hasStoredCatalog = true;
      await removeEmpty(turn);
      for (const name of await catalog.listObsolete()) changed.add(name);
      const names = [...changed].filter((name) => name !== CATALOG);
      await forEachParallel(names, (name) => save(name, turn));
      // Before the manifest is written, which makes the checkpoint count.
      for (const name of unnamed) if (await catalog.note(name, stateOf(name))) changed.add(CATALOG);
      if (changed.has(CATALOG)) await save(CATALOG, turn);
      unnamed.clear();
    },

    async read(name) {
      // A damaged catalog does not keep a repair from reading the lists.
      const meaning = name === CATALOG ? "unknown" : await catalog.find(name).catch(() => "unknown" as const);
      const { leaves } = await readStored(name, meaning);
      return [...leaves.values()].flat();
    },

    async replace(name, rows, leaves) {
      const rootItem = rootItemOf(name);
      await rootItem.read();
      const list = createRowTree();
      for (const row of rows) putRow(list, row);
      for (const leaf of leaves) list.obsolete.push(leaf);
      lists.set(name, { rows: list, rootItem });
      changed.add(name);
    },

    hasStoredLists: () => catalog.hasAny(),
  };
}

function applyRowChange(rows: RowTree, change: RowChange): void {
  if (isPut(change)) putRow(rows, change.put);
  else deleteRow(rows, change.delete);
}

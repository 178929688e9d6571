/**
 * Lists on the driver. Leaves are written once under unique names, and a root names them in order. Leaf names begin
 * with the owner's generation, so two owners never write the same one. Memory has the roots of lists in use, the leaves
 * that have changed, and others up to a limit.
 */
import { MEBIBYTE } from "../../encoding/bytes.ts";
import type { ListQuery, Row, RowChange, RowPage } from "../../ports/store.ts";
import type { ChecksummedItems } from "../driver/checksummed-items.ts";
import type { Ownership } from "../driver/ownership.ts";
import { forEachParallel } from "../driver/parallel.ts";
import { CATALOG } from "../keys.ts";
import type { CheckpointPacer } from "../log/checkpoint-pacing.ts";
import { COPIES } from "../log/mirrored-item.ts";
import { createListCatalog, type ListState, type RootMeaning } from "./catalog.ts";
import { createLeafCache, type LeafCache } from "./leaf-cache.ts";
import { createOpenLists } from "./open-lists.ts";
import { saveList } from "./save-list.ts";
import { createStoredLists, leafKey } from "./stored-list.ts";
import { namedLeaves, readAllRows } from "./stored-rows.ts";
import {
  changeRow,
  createRowList,
  hasRow,
  isMissing,
  LEAF_SIZES,
  type LeafSizes,
  marksOfRow,
  treesOf,
} from "./trees/row-list.ts";

export interface Lists {
  /** Returns a page of a list with all applied changes. */
  query(name: string, query: ListQuery): RowPage | Promise<RowPage>;
  /** Returns the number of rows of each list with all changes that were applied before one moment, the same for all. */
  totals(names: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Looks for a row. @param decide Called in the turn in which it is there or not. */
  findRow<Answer extends boolean>(name: string, id: string, decide: (isThere: boolean) => Answer): Promise<Answer>;
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
  /** Keys of the leaves that the root of a list names. None if the root itself is damaged or missing. */
  leavesOf(name: string): Promise<readonly string[]>;
  /**
   * Replaces the rows of a list that has not been loaded. `save` stores them.
   * @param leaves Names of all stored leaves, which are deleted once the new ones are stored.
   */
  replace(name: string, rows: readonly Row[], leaves: readonly string[]): Promise<void>;
  /** Whether any list is stored, which means that a checkpoint has run, at least partly. */
  hasStoredLists(): Promise<boolean>;
  /** The leaves in memory that can be given up. */
  readonly held: LeafCache["held"];
}

export interface ListOptions {
  /**
   * Maximum memory of unchanged leaves, in bytes, roughly.
   * @default 16 MiB
   */
  readonly cacheSize?: number | undefined;
  readonly sizes?: LeafSizes | undefined;
  /** Resolves in a later turn of the event loop; null if this one has time left. Called during long reads. */
  readonly pause?: () => Promise<void> | null;
}

export function createLists(items: ChecksummedItems, ownership: Ownership, options: ListOptions = {}): Lists {
  const { sizes = LEAF_SIZES, pause = () => null } = options;
  /** Number of leaves written by this owner. */
  let leavesWritten = 0;
  const changed = new Set<string>();
  /** Lists that were stored since the catalog was: a checkpoint may fail between the two. */
  const unnamed = new Set<string>();
  const stored = createStoredLists(items);
  const cache = createLeafCache(stored.readLeaf, options.cacheSize ?? 16 * MEBIBYTE);
  const lists = createOpenLists({
    ...{ stored, cache, pause, sizes },
    meaningOf: (name) => catalog.find(name),
    isChanged: (name) => changed.has(name) || unnamed.has(name),
  });
  const catalog = createListCatalog({
    marksOf: (id) => lists.ask(CATALOG, (rows) => marksOfRow(rows, id)),
    idsWith: async (mark) => (await lists.query(CATALOG, { limit: Number.POSITIVE_INFINITY, marks: [[mark]] })).ids,
    count: async () => (await lists.settled(CATALOG)).rows.rows.size,
    change: apply,
  });
  /** Whether this owner has stored the catalog. From then on, no late write of an earlier owner replaces it. */
  let hasStoredCatalog = false;

  function apply(change: RowChange): void {
    changed.add(change.list);
    lists.apply(change);
  }

  async function save(name: string, turn: CheckpointPacer["waitForTurn"]): Promise<void> {
    const list = await lists.settled(name);
    changed.delete(name);
    // A change that came since waits, and is not stored now.
    if (lists.isWaiting(name)) changed.add(name);
    list.saves++;
    try {
      const nextName = () => `${ownership.generation}.${leavesWritten++}`;
      await saveList({ list, items, cache, nextName, turn });
      if (name !== CATALOG) unnamed.add(name);
    } catch (error) {
      changed.add(name);
      throw error;
    } finally {
      list.saves--;
    }
  }

  function stateOf(name: string): ListState {
    const list = lists.get(name);
    const hasObsolete = list !== undefined && list.rows.history.obsolete.length > 0;
    return { hasObsolete, isEmpty: list?.rows.rows.size === 0 && !hasObsolete && !changed.has(name) };
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
      catalog.forget(name);
      if (!changed.has(name)) lists.drop(name);
    });
  }

  /** A damaged catalog does not keep a repair from reading the lists. */
  async function meaningForRepair(name: string): Promise<RootMeaning> {
    return name === CATALOG ? "unknown" : catalog.find(name).catch(() => "unknown" as const);
  }

  return {
    query: lists.query,

    totals: lists.totals,

    findRow: (name, id, decide) =>
      lists.ask(name, (rows) => {
        const found = hasRow(rows, id);
        return isMissing(found) ? found : decide(found);
      }),

    apply,

    countChanged() {
      const trees = [...changed].flatMap((name) => treesOf(lists.get(name)?.rows ?? NO_LIST));
      return trees.reduce((sum, { leaves }) => sum + leaves.filter((leaf) => leaf.name === null).length, 0);
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
      for (const name of unnamed) await catalog.note(name, stateOf(name));
      if (changed.has(CATALOG)) await save(CATALOG, turn);
      unnamed.clear();
      lists.dropUnused();
    },

    read: async (name) => readAllRows(stored, name, await meaningForRepair(name)),
    leavesOf: async (name) => namedLeaves(stored, name, await meaningForRepair(name)),

    async replace(name, rows, leaves) {
      const rootItem = stored.rootItemOf(name);
      await rootItem.read();
      const list = createRowList(sizes);
      for (const put of rows) changeRow(list, { list: name, put });
      for (const leaf of leaves) list.history.obsolete.push(leaf);
      lists.add({ name, rows: list, rootItem, pending: [], settling: null, saves: 0, lastUse: 0 });
      changed.add(name);
    },

    hasStoredLists: () => catalog.hasAny(),

    get held() {
      return cache.held;
    },
  };
}

const NO_LIST = createRowList();

/** The lists in use: reads their roots when they are asked for, and gives up those that nobody has asked for since. */
import { damaged } from "../../errors.ts";
import type { ListQuery, RowChange, RowPage } from "../../ports/store.ts";
import { CATALOG } from "../keys.ts";
import type { RootMeaning } from "./catalog.ts";
import type { LeafCache } from "./leaf-cache.ts";
import { applyChange, countRows, type OpenList, pinLeaves, settleChanges } from "./open-list.ts";
import { readPage } from "./queries/row-query.ts";
import { runReading } from "./queries/run-reading.ts";
import { createRecentChanges } from "./recent-changes.ts";
import type { StoredLists } from "./stored-list.ts";
import { leafNames, listOfRoot, NO_ROOT } from "./trees/list-root.ts";
import type { Leaf } from "./trees/paged-tree.ts";
import { isMissing, type LeafSizes, type MissingLeaves, type RowList } from "./trees/row-list.ts";

export interface OpenLists {
  /** Returns a list in use, with the changes so far or as {@link OpenList.pending}. */
  get(name: string): OpenList | undefined;
  /** Returns a list with all changes so far. */
  settled(name: string): Promise<OpenList>;
  query(name: string, query: ListQuery): RowPage | Promise<RowPage>;
  /** Counts the rows of lists as of one moment, in which all of them are in use. */
  totals(names: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Asks the current rows, as soon as memory has the leaves that are missing for an answer. */
  ask<Answer>(name: string, attempt: (rows: RowList) => Answer | MissingLeaves): Promise<Answer>;
  /** Makes a change before anybody reads its list. */
  apply(change: RowChange): void;
  /** Whether changes of a list wait: for leaves that they touch, or for somebody who reads it. */
  isWaiting(name: string): boolean;
  add(list: OpenList): void;
  drop(name: string): void;
  /** Gives up the lists that nobody has asked for in the longest time, if there are many. */
  dropUnused(): void;
}

/** Number of lists in use, beyond which some are given up. */
const MAX_OPEN_LISTS = 1_000;
/** Leaves that a read keeps in memory. It reads further ones without keeping them, so that a search displaces nothing. */
const MAX_KEPT_LEAVES = 4;

export function createOpenLists(parts: {
  stored: StoredLists;
  cache: LeafCache;
  meaningOf: (name: string) => Promise<RootMeaning>;
  pause: () => Promise<void> | null;
  sizes: LeafSizes;
  /** Whether a list has changes that are not stored yet. */
  isChanged: (name: string) => boolean;
}): OpenLists {
  const { stored, cache, pause } = parts;
  const lists = new Map<string, OpenList>();
  const loading = new Map<string, Promise<OpenList>>();
  /** Changes of lists that are not in use. */
  const waiting = new Map<string, RowChange[]>();
  const recent = createRecentChanges((change) => {
    const list = lists.get(change.list);
    const others = waiting.get(change.list);
    if (list !== undefined) applyChange(list, change);
    else if (others !== undefined) others.push(change);
    else waiting.set(change.list, [change]);
  });
  let uses = 0;

  /** Returns a list in use, with the changes so far. */
  function find(name: string): OpenList | undefined {
    recent.applyTo(name);
    return lists.get(name);
  }

  async function read(name: string): Promise<OpenList> {
    const meaning = name === CATALOG ? "unknown" : await parts.meaningOf(name);
    const rootItem = stored.rootItemOf(name);
    const found = await rootItem.read();
    if (found === null && meaning === "has rows") throw damaged(`list:${name}`, `The list "${name}"`);
    const root = found ?? NO_ROOT;
    const isEmpty = meaning === "is empty";
    const rows = listOfRoot(
      isEmpty ? { ...NO_ROOT, obsolete: [...leafNames(root), ...root.obsolete] } : root,
      parts.sizes,
    );
    // No await from here on: a change must not fall between the waiting ones and those of the open list.
    const pending = waiting.get(name) ?? [];
    waiting.delete(name);
    const list: OpenList = { name, rows, rootItem, pending, settling: null, saves: 0, lastUse: ++uses };
    lists.set(name, list);
    dropUnused();
    return list;
  }

  function load(name: string): Promise<OpenList> {
    const known = find(name);
    if (known !== undefined) return Promise.resolve(known);
    let reading = loading.get(name);
    if (reading === undefined) {
      reading = read(name).finally(() => loading.delete(name));
      loading.set(name, reading);
    }
    return reading;
  }

  async function settled(name: string): Promise<OpenList> {
    for (;;) {
      const list = await load(name);
      await settleChanges(list, cache, pause);
      if (isCurrent(list)) return list;
    }
  }

  /** Whether the list is still in use and has no waiting changes. */
  const isCurrent = (list: OpenList) => find(list.name) === list && list.pending.length === 0;

  function run(list: OpenList, query: ListQuery): RowPage | Promise<RowPage> {
    list.lastUse = ++uses;
    const load = (leaf: Leaf, loaded: number) =>
      loaded < MAX_KEPT_LEAVES ? cache.read(list.name, leaf) : cache.readOnce(list.name, leaf);
    return runReading(list.rows, (view) => readPage(view, query), { load, pause });
  }

  async function queryLater(name: string, query: ListQuery): Promise<RowPage> {
    return run(await settled(name), query);
  }

  function dropUnused(): void {
    if (lists.size <= MAX_OPEN_LISTS) return;
    const unused = [...lists.values()].filter((list) => isUnused(list) && !parts.isChanged(list.name));
    unused.sort((one, other) => one.lastUse - other.lastUse);
    for (const { name } of unused.slice(0, lists.size - MAX_OPEN_LISTS / 2)) lists.delete(name);
  }

  function isUnused({ name, pending, saves, rows }: OpenList): boolean {
    return name !== CATALOG && pending.length === 0 && saves === 0 && rows.history.open === 0;
  }

  return {
    get: find,
    settled,

    query(name, query) {
      const list = find(name);
      return list === undefined || list.pending.length > 0 ? queryLater(name, query) : run(list, query);
    },

    async totals(names) {
      for (;;) {
        const open = await Promise.all(names.map(load));
        if (!open.every((list) => find(list.name) === list)) continue;
        for (const list of open) list.lastUse = ++uses;
        // No await between them: each list is asked at the same moment, and answers when it can.
        const totals = await Promise.all(open.map((list) => countRows(list, cache, pause)));
        return new Map(open.map(({ name }, index) => [name, totals[index] ?? 0]));
      }
    },

    async ask(name, attempt) {
      const pinned = new Set<Leaf>();
      try {
        for (;;) {
          const list = await settled(name);
          if (!isCurrent(list)) continue;
          const answer = attempt(list.rows);
          if (!isMissing(answer)) return answer;
          await pinLeaves(name, answer.missing, pinned, cache);
        }
      } finally {
        for (const leaf of pinned) cache.unpin(leaf);
      }
    },

    apply: recent.add,
    isWaiting: (name) => recent.has(name) || (lists.get(name)?.pending.length ?? 0) > 0,

    add(list) {
      lists.set(list.name, list);
    },

    drop(name) {
      lists.delete(name);
    },

    dropUnused,
  };
}

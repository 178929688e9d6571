/**
 * The store in memory, for services without a storage driver. It keeps nothing that only a restart would need: no log, no
 * checkpoints and no second copy of documents.
 */
import { LRUCache } from "lru-cache";
import { MEBIBYTE } from "../encoding/bytes.ts";
import { damaged } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import { closedError } from "../ports/closed-error.ts";
import type { Document, Key, ListQuery, RowPage, Store, Stored } from "../ports/store.ts";
import { conflictError } from "./commits/conflict-error.ts";
import { type PreparedChanges, prepareChanges } from "./commits/prepare-changes.ts";
import { deepFreeze } from "./documents/deep-freeze.ts";
import { isListName } from "./keys.ts";
import { MemoryLists } from "./lists/memory-lists.ts";
import { readPage } from "./lists/queries/row-query.ts";
import { runReading } from "./lists/queries/run-reading.ts";
import { hasRow, type RowList } from "./lists/trees/row-list.ts";
import { createEventLoopBudget, pauseReading } from "./log/event-loop-budget.ts";

/** Total length of the documents that are kept as objects, too, in characters. */
const MAX_CACHE_CHARS = 16 * MEBIBYTE;

/** What a store in memory contains. Another store can go on with it. */
export interface MemoryData {
  readonly documents: Map<string, { readonly version: number; readonly json: string }>;
  readonly lists: MemoryLists;
}

export function createMemoryData(): MemoryData {
  return { documents: new Map(), lists: new MemoryLists() };
}

/** @param data What another store can go on with. Without it, everything is lost with the store. */
export function createMemoryStore({ clock, data }: { clock: Clock; data?: MemoryData }): Store {
  const { documents, lists } = data ?? createMemoryData();
  const eventLoop = createEventLoopBudget(clock);
  /** Documents that were read, frozen. Most are written several times before anybody reads them. */
  const objects = new LRUCache<string, Stored<Document>>({ maxSize: MAX_CACHE_CHARS });
  /** Set while commits wait for the next turn of the event loop. */
  let waiting: Promise<void> | null = null;
  let isClosed = false;

  function apply({ expectations, writes, derived }: PreparedChanges): void {
    if (isClosed) throw closedError();
    for (const { key, expected } of expectations) {
      const version = documents.get(key)?.version ?? null;
      if (version !== expected) throw conflictError(key, expected, version);
    }
    let size = 0;
    for (const { key, version, json, rows } of writes) {
      objects.delete(key);
      if (version === null) documents.delete(key);
      else documents.set(key, { version, json });
      for (const row of rows) lists.change(row);
      size += json.length;
    }
    for (const row of derived) lists.change(row);
    eventLoop.spend(1, size);
  }

  function commit(changes: PreparedChanges): Promise<void> {
    const turn = waiting ?? eventLoop.nextTurnIfSpent();
    if (turn === null) {
      apply(changes);
      return Promise.resolve();
    }
    if (waiting === null) {
      waiting = turn;
      void turn.then(() => {
        waiting = null;
      });
    }
    return turn.then(() => apply(changes));
  }

  function read(key: string): Stored<Document> | null {
    const known = objects.get(key);
    if (known !== undefined) return known;
    const found = documents.get(key);
    if (found === undefined) return null;
    const stored = { version: found.version, document: deepFreeze(JSON.parse(found.json)) };
    objects.set(key, stored, { size: found.json.length });
    return stored;
  }

  function requireOpen(): void {
    if (isClosed) throw closedError();
  }

  const rowsOf = (name: string): RowList | undefined => (isListName(name) ? lists.get(name) : undefined);

  const tools = {
    pause: () => pauseReading(eventLoop),
    load: () => Promise.reject(new Error("The store in memory has all rows in memory.")),
  };

  function list(name: string, query: ListQuery): RowPage | Promise<RowPage> {
    requireOpen();
    const rows = rowsOf(name);
    return rows === undefined
      ? { ids: [], total: query.search === undefined && query.withoutTotal !== true ? 0 : undefined }
      : runReading(rows, (view) => readPage(view, query), tools);
  }

  return {
    isFailing: false,
    isLost: false,
    isVolatile: data === undefined,

    async probe() {
      requireOpen();
    },

    async get<T extends Document>(key: Key) {
      requireOpen();
      return typed<T>(read(key));
    },

    async getMany<T extends Document>(keys: readonly Key[]) {
      requireOpen();
      return keys.map((key) => typed<T>(read(key)));
    },

    async getText(key, maxChars) {
      requireOpen();
      return documents.get(key)?.json.slice(0, maxChars) ?? null;
    },

    commit(changes) {
      try {
        // Serialized before any await, because the caller may modify its objects afterwards.
        return commit(prepareChanges(changes));
      } catch (error) {
        return Promise.reject(error);
      }
    },

    list: async (name, query) => list(name, query),

    async totals(names) {
      requireOpen();
      return names.map((name) => rowsOf(name)?.rows.size ?? 0);
    },

    async listDocuments<T extends Document>(name: string, query: ListQuery, keyOf: (id: string) => Key) {
      const page = await list(name, query);
      requireOpen();
      const found = page.ids.map((id) => typed<T>(read(keyOf(id))));
      const rows = rowsOf(name);
      const missing = page.ids.find(
        (id, index) => found[index] === null && rows !== undefined && hasRow(rows, id) === true,
      );
      if (missing !== undefined) throw damaged(keyOf(missing), "The document");
      return { ...page, documents: found.filter((stored) => stored !== null) };
    },

    async close() {
      await waiting;
      isClosed = true;
    },
  };
}

/** Casts a document to its type: the code that knows a key has written its document. */
function typed<T extends Document>(stored: Stored<Document> | null): Stored<T> | null {
  return stored as Stored<T> | null;
}

/**
 * Builds and removes the indexes of collections in the background, several records at a time.
 *
 * Building first waits for the writes that began before the index was stored, because they don't know it. Every later write adds
 * the row of its record. So the rows of the other records can be added in any order, if the record has not changed since it was
 * read. If rows are missing nevertheless, for example after a repair, the index has fewer rows than the collection has records.
 * It is then replaced by a new one.
 */

import { rowIds, updateDocument } from "../../documents/documents.ts";
import { isStepwellError } from "../../errors.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Change, DerivedChange, Store, Stored } from "../../ports/store.ts";
import { createSemaphore } from "../../queues/semaphore.ts";
import type { Background } from "../../time/background.ts";
import type { CollectionDocument } from "../collection.ts";
import { collectionKey, rowsOf } from "../collection-rows.ts";
import type { RecordDocument } from "../records/record.ts";
import { recordKey, recordsOf } from "../records/record-rows.ts";
import type { WritesInProgress } from "../records/writes-in-progress.ts";
import { indexRows } from "./index-rows.ts";
import { INDEXING_LIST, indexList, type RecordIndex } from "./record-index.ts";
import { isComplete } from "./usable-indexes.ts";

export interface IndexBuilder {
  /** Builds and removes indexes of the collection, unless that is in progress. */
  start(collectionId: string): void;
  /** Resumes the work of earlier processes. */
  resume(): Promise<void>;
  /** Settles when the current commits have ended. */
  stop(): Promise<void>;
}

/** Collections whose indexes are built at the same time. */
const COLLECTIONS_AT_ONCE = 2;
/** Records in memory at the same time, of up to 1 MiB each. Fewer if other writes conflict. */
const RECORDS_PER_COMMIT = 64;
/** Number of records after which the position is stored. */
const RECORDS_PER_STEP = 2_048;
/** Maximum number of rows that one commit removes. */
const ROWS_PER_COMMIT = 1_000;

type FoundCollection = Stored<CollectionDocument>;
type Indexes = readonly RecordIndex[];

export function createIndexBuilder(parts: {
  store: Store;
  ids: Ids;
  background: Background;
  writes: Pick<WritesInProgress, "settled">;
}): IndexBuilder {
  const { store, ids, background, writes } = parts;
  const semaphore = createSemaphore(COLLECTIONS_AT_ONCE);
  const working = new Map<string, Promise<void>>();
  /** Collections whose indexes changed during the work on them. */
  const again = new Set<string>();
  let isStopped = false;

  function changeIndexes(collectionId: string, decide: (indexes: Indexes) => Indexes): Promise<void> {
    const key = collectionKey(collectionId);
    return updateDocument<CollectionDocument, void>(store, key, (found) => {
      if (found === null) return { changes: [], result: undefined };
      const document = { ...found.document, indexes: decide(found.document.indexes ?? []) };
      const change: Change = { key, document, expected: found.version, rows: rowsOf(document) };
      return { changes: [change], result: undefined };
    });
  }

  /** Adds the rows of the next records. Returns the position after them; null if there are no more. */
  async function addRows(collectionId: string, building: Indexes, after: string | undefined, limit: number) {
    const query = { limit, descending: false, after, withoutTotal: true };
    const page = await store.listDocuments<RecordDocument>(recordsOf(collectionId), query, recordKey);
    const changes = page.documents.map(({ document, version }): DerivedChange => {
      return { key: recordKey(document.id), expected: version, rows: indexRows(document, building) };
    });
    if (changes.length > 0) await store.commit(changes);
    return page.next ?? null;
  }

  async function buildSome({ document: { id, indexes = [] } }: FoundCollection): Promise<void> {
    const building = indexes.filter(({ state }) => state === "building");
    const start = building
      .map(({ built_until = "" }) => built_until)
      .reduce((one, other) => (one < other ? one : other));
    let reached: string | null = start;
    let limit = RECORDS_PER_COMMIT;
    for (let done = 0; reached !== null && done < RECORDS_PER_STEP && !isStopped; ) {
      try {
        reached = await addRows(id, building, reached === "" ? undefined : reached, limit);
        done += limit;
        limit = Math.min(2 * limit, RECORDS_PER_COMMIT);
      } catch (error) {
        if (!isStepwellError(error, "conflict")) throw error;
        limit = Math.max(1, limit >> 1);
      }
    }
    const built = new Set(building.map((index) => index.id));
    await changeIndexes(id, (now) => now.map((index) => (built.has(index.id) ? reach(index, reached) : index)));
  }

  async function removeSome({ document, version }: FoundCollection, removed: RecordIndex): Promise<void> {
    const list = indexList(removed.id);
    const page = await store.list(list, { limit: ROWS_PER_COMMIT });
    if (page.ids.length === 0) {
      return changeIndexes(document.id, (indexes) => indexes.filter(({ id }) => id !== removed.id));
    }
    const rows = page.ids.map((id) => ({ list, delete: id }));
    await store.commit([{ key: collectionKey(document.id), expected: version, rows }]);
  }

  /** Replaces the indexes that lack rows by new ones. Returns whether there are any. */
  async function replaceIncomplete({ document: { id, indexes = [] } }: FoundCollection): Promise<boolean> {
    const incomplete = new Map<string, string>();
    for (const { id: indexId, state } of indexes) {
      if (state === "ready" && !(await isComplete(store, id, indexId))) incomplete.set(indexId, ids.next("idx"));
    }
    if (incomplete.size > 0) await changeIndexes(id, (now) => now.flatMap((index) => replaced(index, incomplete)));
    return incomplete.size > 0;
  }

  /** @returns Whether anything is left to do. */
  async function workOnce(collectionId: string): Promise<boolean> {
    const found = await store.get<CollectionDocument>(collectionKey(collectionId));
    if (found === null) return false;
    const { indexes = [] } = found.document;
    const removed = indexes.find(({ state }) => state === "removing");
    const isBuilding = indexes.some(({ state }) => state === "building");
    if (!isBuilding && removed === undefined) return replaceIncomplete(found);
    await writes.settled(collectionId);
    if (isBuilding) await buildSome(found);
    else if (removed !== undefined) await removeSome(found, removed);
    return true;
  }

  async function work(collectionId: string): Promise<void> {
    for (let isLeft = true; isLeft && !isStopped; ) {
      try {
        isLeft = await workOnce(collectionId);
      } catch (error) {
        // The collection was changed meanwhile.
        if (!isStepwellError(error, "conflict")) throw error;
      }
    }
  }

  function start(collectionId: string): void {
    if (isStopped) return;
    if (working.has(collectionId)) {
      again.add(collectionId);
      return;
    }
    const inTurn = () => semaphore.run(() => work(collectionId));
    const done = background.retryUntilDone("record indexes", inTurn).done.then(() => {
      working.delete(collectionId);
      if (again.delete(collectionId)) start(collectionId);
    });
    working.set(collectionId, done);
  }

  return {
    start,
    async resume() {
      for await (const collectionId of rowIds(store, INDEXING_LIST)) start(collectionId);
    },
    async stop() {
      isStopped = true;
      await Promise.all(working.values());
    },
  };
}

/** @param until The last record that has its row; null if all have. */
function reach(index: RecordIndex, until: string | null): RecordIndex {
  const { id, path, state, built_until = "" } = index;
  if (state !== "building") return index;
  if (until === null) return { id, path, state: "ready" };
  return { id, path, state, built_until: until > built_until ? until : built_until };
}

/** @param newIds New ids of the indexes to replace, by id. */
function replaced(index: RecordIndex, newIds: ReadonlyMap<string, string>): readonly RecordIndex[] {
  const { id, path, state } = index;
  const newId = newIds.get(id);
  if (newId === undefined || state !== "ready") return [index];
  return [
    { id: newId, path, state: "building" },
    { id, path, state: "removing" },
  ];
}

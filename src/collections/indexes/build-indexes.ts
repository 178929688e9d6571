/**
 * Builds and removes the indexes of collections in the background, some records at a time.
 *
 * Building writes every record again with its row, in one commit with the place that was reached. A write that does not
 * know the index yet then finds that the record has another version, and is repeated. A record that is created meanwhile
 * has its row; should one be missing, the index has fewer rows than the collection has records and is built again.
 */

import { rowIds } from "../../documents/documents.ts";
import { isStepwellError } from "../../errors.ts";
import type { Hash } from "../../ports/hash.ts";
import type { Change, Store, Stored } from "../../ports/store.ts";
import { createSemaphore } from "../../queues/semaphore.ts";
import type { Background } from "../../time/startup-tasks.ts";
import type { CollectionDocument } from "../collection.ts";
import { rowsOf } from "../collection-rows.ts";
import { collectionKey } from "../collections.ts";
import type { RecordDocument } from "../records/record.ts";
import { recordKey, recordsOf, rowsOf as rowsOfRecord } from "../records/record-rows.ts";
import { indexRows } from "./index-rows.ts";
import type { KnownIndexes } from "./known-indexes.ts";
import { INDEXING_LIST, indexList, type RecordIndex } from "./record-index.ts";
import { isComplete } from "./usable-indexes.ts";

export interface IndexBuilder {
  /** Builds and removes what the collection needs, unless that is in progress. */
  start(collectionId: string): void;
  /** Continues what an earlier process left. */
  resume(): Promise<void>;
  /** Settles when the current commits have ended. */
  stop(): Promise<void>;
}

/** Collections whose indexes are built at once. */
const COLLECTIONS_AT_ONCE = 2;
/** Records of up to 1 MiB in one commit. Fewer while other writes get in between. */
const RECORDS_PER_COMMIT = 64;

type FoundCollection = Stored<CollectionDocument>;

export function createIndexBuilder(parts: {
  store: Store;
  hash: Hash;
  background: Background;
  indexes: KnownIndexes;
}): IndexBuilder {
  const { store, hash, background, indexes: known } = parts;
  const semaphore = createSemaphore(COLLECTIONS_AT_ONCE);
  const working = new Map<string, Promise<void>>();
  /** Collections whose indexes changed while they were worked on. */
  const again = new Set<string>();
  let isStopped = false;

  function collectionChange({ document, version }: FoundCollection, indexes: readonly RecordIndex[]): Change {
    const after = { ...document, indexes };
    return { key: collectionKey(document.id), document: after, expected: version, rows: rowsOf(after) };
  }

  /** The record as it is, with all its rows. */
  function withRows({ document, version }: Stored<RecordDocument>): Change {
    const { id, collection_id } = document;
    const rows = [...rowsOfRecord(document, document, hash), ...indexRows(document, known.of(collection_id))];
    return { key: recordKey(id), document, expected: version, rows };
  }

  async function buildSome(found: FoundCollection, limit: number): Promise<void> {
    const { id, indexes = [] } = found.document;
    const building = indexes.filter(({ state }) => state === "building");
    const start = building
      .map(({ built_until = "" }) => built_until)
      .reduce((one, other) => (one < other ? one : other));
    const after = start === "" ? undefined : start;
    const query = { limit, descending: false, after };
    const page = await store.listDocuments<RecordDocument>(recordsOf(id), query, recordKey);
    const changes = page.documents.map(withRows);
    const until = page.next === undefined ? null : (page.ids.at(-1) ?? start);
    const reached = indexes.map((index) => (index.state === "building" ? reach(index, until) : index));
    await store.commit([...changes, collectionChange(found, reached)]);
  }

  async function removeSome(found: FoundCollection, removed: RecordIndex, limit: number): Promise<void> {
    const { id, indexes = [] } = found.document;
    const list = indexList(removed.id);
    const { ids } = await store.list(list, { limit });
    if (ids.length === 0) {
      await store.commit([
        collectionChange(
          found,
          indexes.filter((index) => index.id !== removed.id),
        ),
      ]);
      known.forget(id, removed.id);
      return;
    }
    const records = await store.getMany<RecordDocument>(ids.map(recordKey));
    const changes = ids.map((recordId, index): Change => {
      const found = records[index] ?? null;
      if (found !== null) return withRows(found);
      return { key: recordKey(recordId), document: null, expected: null, rows: [{ list, delete: recordId }] };
    });
    await store.commit(changes);
  }

  /** Whether each record has a row in each complete index. */
  async function restartIncomplete(found: FoundCollection): Promise<boolean> {
    const { id, indexes = [] } = found.document;
    const incomplete = new Set<string>();
    for (const { id: indexId, state } of indexes) {
      if (state === "ready" && !(await isComplete(store, id, indexId))) incomplete.add(indexId);
    }
    if (incomplete.size === 0) return false;
    const restarted = indexes.map(({ id: indexId, path, state }): RecordIndex => {
      return { id: indexId, path, state: incomplete.has(indexId) ? "building" : state };
    });
    await store.commit([collectionChange(found, restarted)]);
    return true;
  }

  /** @returns Whether anything is left to do. */
  async function workOnce(collectionId: string, limit: number): Promise<boolean> {
    const found = await store.get<CollectionDocument>(collectionKey(collectionId));
    if (found === null) return false;
    known.learn(found.document);
    const { indexes = [] } = found.document;
    const removed = indexes.find(({ state }) => state === "removing");
    if (indexes.some(({ state }) => state === "building")) await buildSome(found, limit);
    else if (removed !== undefined) await removeSome(found, removed, limit);
    else return restartIncomplete(found);
    return true;
  }

  async function work(collectionId: string): Promise<void> {
    let limit = RECORDS_PER_COMMIT;
    for (let isLeft = true; isLeft && !isStopped; ) {
      try {
        isLeft = await workOnce(collectionId, limit);
        limit = Math.min(2 * limit, RECORDS_PER_COMMIT);
      } catch (error) {
        if (!isStepwellError(error, "conflict")) throw error;
        limit = Math.max(1, limit >> 1);
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
function reach({ id, path, built_until = "" }: RecordIndex, until: string | null): RecordIndex {
  if (until === null) return { id, path, state: "ready" };
  return { id, path, state: "building", built_until: until > built_until ? until : built_until };
}

/** What is committed with every write of a record: the record, its rows and its history, and on deletion also its unique keys. */
import type { Hash } from "../../ports/hash.ts";
import type { Change, Store, Stored } from "../../ports/store.ts";
import type { CollectionDocument } from "../collection.ts";
import { collectionKey } from "../collections.ts";
import type { HistoryWrites, WriteOrigin } from "../history/history-writes.ts";
import { indexRowDeletions, indexRows } from "../indexes/index-rows.ts";
import type { KnownIndexes } from "../indexes/known-indexes.ts";
import type { RecordDocument } from "./record.ts";
import { deleteRecord, recordKey, rowsOf } from "./record-rows.ts";
import type { UniqueKeys } from "./unique-keys.ts";

export interface RecordWrites {
  /** To be committed in the same turn, so that the record has a row in each index. */
  insertion(document: RecordDocument, origin: WriteOrigin): readonly Change[];
  /** @param after The record after the write; `before.document` if nothing changed, then there is nothing to commit. */
  update(before: Stored<RecordDocument>, after: RecordDocument, origin: WriteOrigin): Promise<readonly Change[]>;
  deletion(before: Stored<RecordDocument>, origin: WriteOrigin): Promise<readonly Change[]>;
  /** Deletes the history of a record, and returns the changes that delete the rest. */
  purge(before: Stored<RecordDocument>): Promise<readonly Change[]>;
}

export function createRecordWrites(parts: {
  store: Store;
  hash: Hash;
  uniqueKeys: Pick<UniqueKeys, "deleteFor">;
  history: HistoryWrites;
  indexes: Pick<KnownIndexes, "of" | "learn">;
}): RecordWrites {
  const { store, hash, uniqueKeys, history, indexes } = parts;
  const rowsIn = (document: RecordDocument) => indexRows(document, indexes.of(document.collection_id));

  async function deleteWithUniqueKeys({ document, version }: Stored<RecordDocument>): Promise<readonly Change[]> {
    const released = await uniqueKeys.deleteFor(document);
    // A purge has not read the collection.
    const collection = await store.get<CollectionDocument>(collectionKey(document.collection_id));
    if (collection !== null) indexes.learn(collection.document);
    const rows = indexRowDeletions(document.id, indexes.of(document.collection_id));
    return [deleteRecord(document, version, rows), ...released];
  }

  return {
    insertion(document, origin) {
      const rows = [...rowsOf(document, null, hash), ...rowsIn(document)];
      const change = { key: recordKey(document.id), document, rows };
      return [change, ...history.insertion(document, origin)];
    },

    async update({ document: before, version }, after, origin) {
      if (after === before) return [];
      const rows = [...rowsOf(after, before, hash), ...rowsIn(after)];
      const change = { key: recordKey(after.id), document: after, expected: version, rows };
      return [change, ...(await history.update(before, after, origin))];
    },

    async deletion(before, origin) {
      return [...(await deleteWithUniqueKeys(before)), ...(await history.deletion(before.document, origin))];
    },

    async purge(before) {
      await history.forget(before.document.id, before.document.version);
      return deleteWithUniqueKeys(before);
    },
  };
}

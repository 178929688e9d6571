/** The changes to commit with a write of a record: the record, its rows and its history, and on deletion its unique keys. */
import type { Hash } from "../../ports/hash.ts";
import type { Change, DerivedChange, Store, Stored } from "../../ports/store.ts";
import type { CollectionDocument } from "../collection.ts";
import { collectionKey } from "../collection-rows.ts";
import type { HistoryWrites } from "../history/history-writes.ts";
import { indexRowDeletions, indexRows } from "../indexes/index-rows.ts";
import type { RecordDocument } from "./record.ts";
import type { WriteContext } from "./record-changes.ts";
import { deleteRecord, recordKey, rowsOf } from "./record-rows.ts";
import type { UniqueKeys } from "./unique-keys.ts";

/** Who makes a write, when, and the collection as read after the write began. */
type Context = Pick<WriteContext, "author" | "now" | "collection" | "guards">;
type Changes = readonly (Change | DerivedChange)[];
type Indexed = Pick<CollectionDocument, "indexes">;

export interface RecordWrites {
  insertion(document: RecordDocument, context: Pick<Context, "collection" | "guards">): Changes;
  /** @param after The record after the write; `before.document` if nothing changed, then there is nothing to commit. */
  update(before: Stored<RecordDocument>, after: RecordDocument, context: Context): Promise<Changes>;
  deletion(before: Stored<RecordDocument>, context: Context): Promise<Changes>;
  /** Deletes the history of a record, and returns the changes that delete the record itself. */
  purge(before: Stored<RecordDocument>): Promise<readonly Change[]>;
}

export function createRecordWrites(parts: {
  store: Store;
  hash: Hash;
  uniqueKeys: Pick<UniqueKeys, "deleteFor">;
  history: HistoryWrites;
}): RecordWrites {
  const { store, hash, uniqueKeys, history } = parts;

  async function deleteWithUniqueKeys({ document, version }: Stored<RecordDocument>, collection: Indexed) {
    const released = await uniqueKeys.deleteFor(document);
    return [deleteRecord(document, version, indexRowDeletions(document.id, collection)), ...released];
  }

  return {
    insertion(document, context) {
      const rows = [...rowsOf(document, null, hash), ...indexRows(document, context.collection.indexes)];
      return [{ key: recordKey(document.id), document, rows }, ...context.guards];
    },

    async update({ document: before, version }, after, context) {
      if (after === before) return [];
      const rows = [...rowsOf(after, before, hash), ...indexRows(after, context.collection.indexes)];
      const change = { key: recordKey(after.id), document: after, expected: version, rows };
      return [change, ...(await history.update(before, after, context)), ...context.guards];
    },

    async deletion(before, context) {
      return [
        ...(await deleteWithUniqueKeys(before, context.collection)),
        ...(await history.deletion(before.document, context)),
        ...context.guards,
      ];
    },

    async purge(before) {
      await history.forget(before.document.id, before.document.version);
      const collection = await store.get<CollectionDocument>(collectionKey(before.document.collection_id));
      return deleteWithUniqueKeys(before, collection?.document ?? {});
    },
  };
}

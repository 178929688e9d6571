/** What is committed with every write of a record: the record, its rows and its history, and on deletion the end of its claims. */
import type { Hash } from "../../ports/hash.ts";
import type { Change, Stored } from "../../ports/store.ts";
import type { HistoryWrites, WriteOrigin } from "../history/history-writes.ts";
import type { RecordDocument } from "./record.ts";
import { deleteRecord, recordKey, rowsOf } from "./record-rows.ts";
import type { Claims } from "./unique-keys.ts";

export interface RecordWrites {
  insertion(document: RecordDocument, origin: WriteOrigin): readonly Change[];
  /** @param after The record after the write; `before.document` if nothing changed, then there is nothing to commit. */
  update(before: Stored<RecordDocument>, after: RecordDocument, origin: WriteOrigin): Promise<readonly Change[]>;
  deletion(before: Stored<RecordDocument>, origin: WriteOrigin): Promise<readonly Change[]>;
  /** Deletes the history of a record, and returns the changes that delete the rest. */
  purge(before: Stored<RecordDocument>): Promise<readonly Change[]>;
}

export function createRecordWrites(parts: {
  hash: Hash;
  claims: Pick<Claims, "releaseClaims">;
  history: HistoryWrites;
}): RecordWrites {
  const { hash, claims, history } = parts;

  async function deleteWithClaims({ document, version }: Stored<RecordDocument>): Promise<readonly Change[]> {
    return [deleteRecord(document, version), ...(await claims.releaseClaims(document))];
  }

  return {
    insertion(document, origin) {
      const change = { key: recordKey(document.id), document, rows: rowsOf(document, null, hash) };
      return [change, ...history.insertion(document, origin)];
    },

    async update({ document: before, version }, after, origin) {
      if (after === before) return [];
      const rows = rowsOf(after, before, hash);
      const change = { key: recordKey(after.id), document: after, expected: version, rows };
      return [change, ...(await history.update(before, after, origin))];
    },

    async deletion(before, origin) {
      return [...(await deleteWithClaims(before)), ...(await history.deletion(before.document, origin))];
    },

    async purge(before) {
      await history.forget(before.document.id, before.document.version);
      return deleteWithClaims(before);
    },
  };
}

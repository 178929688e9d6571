/** What is committed with every write of a record: the record itself, its rows, and on deletion the end of its claims. */
import type { Hash } from "../../ports/hash.ts";
import type { Change, Stored } from "../../ports/store.ts";
import type { RecordDocument } from "./record.ts";
import { deleteRecord, recordKey, rowsOf } from "./record-rows.ts";
import type { Claims } from "./unique-keys.ts";

export interface RecordWrites {
  insertion(document: RecordDocument): readonly Change[];
  /** @param after The record after the write; `before.document` if nothing changed, then there is nothing to commit. */
  update(before: Stored<RecordDocument>, after: RecordDocument): readonly Change[];
  deletion(before: Stored<RecordDocument>): Promise<readonly Change[]>;
}

export function createRecordWrites(parts: { hash: Hash; claims: Pick<Claims, "releaseClaims"> }): RecordWrites {
  const { hash, claims } = parts;

  return {
    insertion(document) {
      return [{ key: recordKey(document.id), document, rows: rowsOf(document, null, hash) }];
    },

    update({ document: before, version }, after) {
      if (after === before) return [];
      return [{ key: recordKey(after.id), document: after, expected: version, rows: rowsOf(after, before, hash) }];
    },

    async deletion({ document, version }) {
      return [deleteRecord(document, version), ...(await claims.releaseClaims(document))];
    },
  };
}

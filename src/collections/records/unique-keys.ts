/** Unique keys: documents that refer to a record by its key, so that concurrent calls create only one record. */
import { getNamed, type References } from "../../documents/documents.ts";
import type { Hash } from "../../ports/hash.ts";
import type { Change, Key, Store } from "../../ports/store.ts";
import type { RecordDocument } from "./record.ts";
import { recordKey } from "./record-rows.ts";

interface UniqueKey {
  readonly record_id: string;
}

/** A unique key, and the record that has it. */
export interface FoundUniqueKey {
  readonly key: Key;
  /** The record; null if there is none. */
  readonly document: RecordDocument | null;
  /** The change to commit with a new record. Of several concurrent commits, one succeeds. */
  putFor(recordId: string): Change;
}

/** For repairs: a unique key refers to its record. */
export const uniqueKeyReferences: References = {
  "record-unique-key": (document) =>
    "record_id" in document && typeof document.record_id === "string" ? [recordKey(document.record_id)] : [],
};

export interface UniqueKeys {
  /**
   * @param key The key as a JSON value, such as `{ key }` or `{ path, value }`.
   * @throws StepwellError `unavailable` if the storage has lost the record
   */
  find(collectionId: string, key: object): Promise<FoundUniqueKey>;
  /** The changes to commit with the deletion of a record. */
  deleteFor(document: RecordDocument): Promise<readonly Change[]>;
}

export function createUniqueKeys({ store, hash }: { store: Store; hash: Hash }): UniqueKeys {
  return {
    async find(collectionId, given) {
      const key: Key = `record-unique-key:${hash.sha256(JSON.stringify([collectionId, given]))}`;
      const uniqueKey = await getNamed<UniqueKey, RecordDocument>(store, key, (found) => recordKey(found.record_id));
      return {
        key,
        document: uniqueKey?.named.document ?? null,
        putFor: (record_id) => ({ key, document: { record_id }, expected: uniqueKey?.found.version ?? null }),
      };
    },

    async deleteFor({ id, unique_keys }) {
      const found = await store.getMany<UniqueKey>(unique_keys);
      return unique_keys.flatMap((key, index) => {
        const uniqueKey = found[index];
        if (uniqueKey?.document.record_id !== id) return [];
        return [{ key, document: null, expected: uniqueKey.version }];
      });
    },
  };
}

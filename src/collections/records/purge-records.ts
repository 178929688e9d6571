/** Deletes the records of a deleted app. */
import { updateDocument } from "../../documents/documents.ts";
import type { Store } from "../../ports/store.ts";
import { listOf } from "../collection-rows.ts";
import type { RecordDocument } from "./record.ts";
import { deleteRecord, recordKey, recordsOf } from "./record-rows.ts";
import type { Claims } from "./unique-keys.ts";

const RECORDS_PER_READ = 100;

/** Ends early when `isStopped` returns true. */
export function createPurgeRecords({ store, claims }: { store: Store; claims: Claims }) {
  async function purgeCollection(collectionId: string, isStopped: () => boolean): Promise<void> {
    while (!isStopped()) {
      const { ids } = await store.list(recordsOf(collectionId), { limit: RECORDS_PER_READ });
      if (ids.length === 0) return;
      for (const id of ids) {
        await updateDocument<RecordDocument, void>(store, recordKey(id), async (found) => {
          if (found === null) return { changes: [], result: undefined };
          const released = await claims.releaseClaims(found.document);
          return { changes: [deleteRecord(found.document, found.version), ...released], result: undefined };
        });
      }
    }
  }

  return async (appId: string, isStopped: () => boolean): Promise<void> => {
    for (const list of [listOf(appId, false), listOf(appId, true)]) {
      for (let after: string | undefined; ; ) {
        const page = await store.list(list, { limit: RECORDS_PER_READ, after });
        for (const collectionId of page.ids) await purgeCollection(collectionId, isStopped);
        if (page.next === undefined || isStopped()) break;
        after = page.next;
      }
    }
  };
}

/** Deletes the records of a deleted app. */
import { updateDocument } from "../../documents/documents.ts";
import type { Store } from "../../ports/store.ts";
import { listOf } from "../collection-rows.ts";
import type { RecordDocument } from "./record.ts";
import { recordKey, recordsOf } from "./record-rows.ts";
import type { RecordWrites } from "./record-writes.ts";

const RECORDS_PER_READ = 100;

/** Ends early when `isStopped` returns true. */
export function createPurgeRecords({ store, writes }: { store: Store; writes: RecordWrites }) {
  async function purgeCollection(collectionId: string, isStopped: () => boolean): Promise<void> {
    while (!isStopped()) {
      const { ids } = await store.list(recordsOf(collectionId), { limit: RECORDS_PER_READ });
      if (ids.length === 0) return;
      for (const id of ids) {
        await updateDocument<RecordDocument, void>(store, recordKey(id), async (found) => {
          if (found === null) return { changes: [], result: undefined };
          return { changes: await writes.deletion(found), result: undefined };
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

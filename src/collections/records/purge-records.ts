/** Deletes the records of a deleted app, with their history. */
import { updateDocument } from "../../documents/documents.ts";
import type { Store } from "../../ports/store.ts";
import { listOf } from "../collection-rows.ts";
import type { PurgeHistory } from "../history/purge-history.ts";
import type { RecordDocument } from "./record.ts";
import { recordKey, recordsOf } from "./record-rows.ts";
import type { RecordWrites } from "./record-writes.ts";
import type { WritesInProgress } from "./writes-in-progress.ts";

const RECORDS_PER_READ = 100;

/** Ends early when `isStopped` returns true. */
export function createPurgeRecords(parts: {
  store: Store;
  writes: Pick<RecordWrites, "purge">;
  purgeHistory: Pick<PurgeHistory, "purgeCollection">;
  writesInProgress: Pick<WritesInProgress, "track">;
}) {
  const { store, writes, purgeHistory, writesInProgress } = parts;

  async function purge(recordId: string): Promise<void> {
    await updateDocument<RecordDocument, void>(store, recordKey(recordId), async (found) => {
      if (found === null) return { changes: [], result: undefined };
      return { changes: await writes.purge(found), result: undefined };
    });
  }

  async function purgeCollection(collectionId: string, isStopped: () => boolean): Promise<void> {
    while (!isStopped()) {
      const { ids } = await store.list(recordsOf(collectionId), { limit: RECORDS_PER_READ });
      if (ids.length === 0) return purgeHistory.purgeCollection(collectionId, isStopped);
      for (const id of ids) await writesInProgress.track(collectionId, () => purge(id));
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

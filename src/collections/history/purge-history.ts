/** Deletes the history of deleted records: 30 days after the deletion, and with their app. */
import { rowIds, updateDocument } from "../../documents/documents.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Store } from "../../ports/store.ts";
import { instant } from "../../time/iso.ts";
import { deletedKey, deletedOf, FORGOTTEN_LIST, type HistoryWrites } from "./history-writes.ts";
import type { DeletedRecord } from "./record-history.ts";

export interface PurgeHistory {
  /** Deletes the histories that have expired. */
  deleteExpired(isStopped: () => boolean): Promise<void>;
  /** Deletes the histories of all deleted records of a collection. */
  purgeCollection(collectionId: string, isStopped: () => boolean): Promise<void>;
}

export function createPurgeHistory(parts: {
  store: Store;
  clock: Clock;
  history: Pick<HistoryWrites, "forget">;
}): PurgeHistory {
  const { store, clock, history } = parts;

  /** Deletes the document that refers to the history last, so that the deletion can be repeated. */
  async function purge(id: string): Promise<void> {
    const key = deletedKey(id);
    const deleted = await store.get<DeletedRecord>(key);
    if (deleted !== null) await history.forget(id, deleted.document.version);
    await updateDocument<DeletedRecord, void>(store, key, (found) => {
      if (found === null) return { changes: [], result: undefined };
      const rows = [FORGOTTEN_LIST, deletedOf(found.document.collection_id)].map((list) => ({ list, delete: id }));
      return { changes: [{ key, document: null, expected: found.version, rows }], result: undefined };
    });
  }

  return {
    async deleteExpired(isStopped) {
      for await (const id of rowIds(store, FORGOTTEN_LIST, { until: instant(clock.now()) })) {
        if (isStopped()) return;
        await purge(id);
      }
    },

    async purgeCollection(collectionId, isStopped) {
      for await (const id of rowIds(store, deletedOf(collectionId))) {
        if (isStopped()) return;
        await purge(id);
      }
    },
  };
}

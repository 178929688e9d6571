/** Removes the records of an app that is no more. */
import { update } from "../../documents/documents.ts";
import type { Store } from "../../ports/store.ts";
import { listOf } from "../collection-rows.ts";
import type { RecordDocument } from "./record.ts";
import { recordKey, recordsOf, removal } from "./record-rows.ts";
import type { Claims } from "./unique-keys.ts";

const BATCH = 100;

/** Ends early when asked to. */
export function createRemoveRecords({ store, claims }: { store: Store; claims: Claims }) {
  async function removeOf(collectionId: string, isStopped: () => boolean): Promise<void> {
    while (!isStopped()) {
      const { ids } = await store.list(recordsOf(collectionId), { limit: BATCH });
      if (ids.length === 0) return;
      for (const id of ids) {
        await update<RecordDocument, void>(store, recordKey(id), async (found) => {
          if (found === null) return { changes: [], result: undefined };
          const released = await claims.released(found.document);
          return { changes: [removal(found.document, found.version), ...released], result: undefined };
        });
      }
    }
  }

  return async (appId: string, isStopped: () => boolean): Promise<void> => {
    for (const list of [listOf(appId, false), listOf(appId, true)]) {
      for (let after: string | undefined; ; ) {
        const page = await store.list(list, { limit: BATCH, ...(after === undefined ? {} : { after }) });
        for (const collectionId of page.ids) await removeOf(collectionId, isStopped);
        if (page.next === undefined || isStopped()) break;
        after = page.next;
      }
    }
  };
}

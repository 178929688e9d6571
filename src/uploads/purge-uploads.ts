/** Removes the upload URLs of a removed app, and what came in to them so far. */
import { updateDocument } from "../documents/documents.ts";
import { expiringOf, notExpiringRow } from "../documents/expiring-documents.ts";
import type { Change, Document, Key, Store, Stored } from "../ports/store.ts";
import type { UnfinishedUploads } from "./resumable/partial-uploads.ts";
import type { UploadDocument } from "./upload.ts";
import { futureKey } from "./uploads.ts";

/**
 * Must run before the files of the app are removed: once its document is gone, an upload in progress can no longer
 * become a file.
 */
export function createPurgeUploads(parts: { store: Store; unfinished: Pick<UnfinishedUploads, "discard"> }) {
  const { store, unfinished } = parts;
  return async (appId: string, isStopped: () => boolean): Promise<void> => {
    for await (const key of expiringOf(store, appId)) {
      if (isStopped()) return;
      await updateDocument<UploadDocument, void>(store, key, async (found) => {
        const changes = [gone(key, found)];
        if (found !== null) {
          await unfinished.discard(found.document.id);
          const future = futureKey(found.document.file_id);
          changes.push(gone(future, await store.get(future)));
        }
        return { changes, result: undefined };
      });
    }
  };
}

function gone(key: Key, found: Stored<Document> | null): Change {
  return { key, document: null, expected: found?.version ?? null, rows: [notExpiringRow(key)] };
}

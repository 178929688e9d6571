/** Deletes what of a deleted app expires by itself: its upload URLs with their partial uploads, and times of rate limits. */
import { updateDocument } from "../documents/documents.ts";
import { type Expiring, expiringOf, goneRows } from "../documents/expiring-documents.ts";
import type { Change, Document, Key, Store, Stored } from "../ports/store.ts";
import type { PartialUploads } from "./resumable/partial-uploads.ts";
import type { UploadDocument } from "./upload.ts";
import { isUploadKey } from "./upload-urls.ts";
import { futureFileKey } from "./uploads.ts";

/**
 * Must run before the files of the app are deleted: once its document is gone, an upload in progress can no longer become
 * a file.
 */
export function createPurgeUploads(parts: { store: Store; partialUploads: Pick<PartialUploads, "discard"> }) {
  const { store, partialUploads } = parts;
  return async (appId: string, isStopped: () => boolean): Promise<void> => {
    for await (const key of expiringOf(store, appId)) {
      if (isStopped()) return;
      await updateDocument<UploadDocument & Partial<Expiring>, void>(store, key, async (found) => {
        const changes = [deletion(key, found)];
        // The times of rate limits expire in the same list.
        if (found !== null && isUploadKey(key)) {
          await partialUploads.discard(found.document.id);
          const future = futureFileKey(found.document.file_id);
          changes.push(deletion(future, await store.get<Expiring>(future)));
        }
        return { changes, result: undefined };
      });
    }
  };
}

function deletion(key: Key, found: Stored<Document & Partial<Expiring>> | null): Change {
  return { key, document: null, expected: found?.version ?? null, rows: goneRows(key, found?.document) };
}

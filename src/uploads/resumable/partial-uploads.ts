/** Partial uploads, as stored until they are complete, terminated, or their upload URL expires. */

import { rowIds } from "../../documents/documents.ts";
import type { Expiring } from "../../documents/expiring-documents.ts";
import { isStepwellError, notFound, StepwellError } from "../../errors.ts";
import type { OrphanBlobs } from "../../files/orphan-blobs.ts";
import type { BlobProgress } from "../../ports/blobs.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Change, Key, RowChange, Store, Stored } from "../../ports/store.ts";
import { instant } from "../../time/iso.ts";
import { createUploadLock, type UploadLock } from "./upload-lock.ts";

/** A partial upload as stored, under the id of its upload URL and with the same `expires_at`. It refers to its bytes. */
export interface PartialUpload extends Expiring {
  readonly upload_id: string;
  readonly blob: BlobProgress;
  /** Size of the file in bytes; null while the client has not announced it. */
  readonly length: number | null;
  /** File name that the client sent. */
  readonly name: string | null;
  /** Media type that the client sent. */
  readonly type?: string;
  /** The `Upload-Metadata` header of the request that created it. */
  readonly metadata: string | null;
}

/** The progress of a blob without bytes. */
export const emptyBlob = (id: string): BlobProgress => ({ id, size: 0, block_size: 0 });

export interface PartialUploads {
  /** The lock that callers must hold, except for {@link drop}, {@link discard} and {@link sweep}. */
  readonly lock: UploadLock;
  find(uploadId: string): Promise<Stored<PartialUpload> | null>;
  /** Starts a partial upload. Replaces an earlier one at the same upload URL. */
  begin(upload: PartialUpload, before: Stored<PartialUpload> | null): Promise<Stored<PartialUpload>>;
  /** Acknowledges the stored bytes. */
  save(found: Stored<PartialUpload>): Promise<Stored<PartialUpload>>;
  /** The change to commit with the file that the bytes become. */
  deletePartialUpload(found: Stored<PartialUpload>): Change;
  /** Deletes the partial upload and its bytes. */
  delete(found: Stored<PartialUpload>): Promise<void>;
  /** Deletes the partial upload of a used URL, and aborts a request that appends to it. Never rejects. */
  drop(uploadId: string): Promise<void>;
  /** Like {@link drop}, for a deleted URL: a request in progress ends with `not_found`. Rejects on failure. */
  discard(uploadId: string): Promise<void>;
  /** Deletes expired partial uploads. A request in progress may end. */
  sweep(isStopped?: () => boolean): Promise<void>;
  /** Ends the requests in progress. Their bytes are kept for the next process. */
  close(): Promise<void>;
}

const LIST = "uploads.partial";
const keyOf = (uploadId: string): Key => `partial:${uploadId}`;

export function createPartialUploads(parts: {
  store: Store;
  orphanBlobs: OrphanBlobs;
  clock: Clock;
  logger: Logger;
}): PartialUploads {
  const { store, orphanBlobs, clock, logger } = parts;
  const lock = createUploadLock();

  const find = (uploadId: string) => store.get<PartialUpload>(keyOf(uploadId));

  function change(document: PartialUpload, version: number | null, rows: readonly RowChange[]): Change {
    return { key: keyOf(document.upload_id), document, expected: version, rows };
  }

  function deletePartialUpload({ document: { upload_id }, version }: Stored<PartialUpload>): Change {
    return { key: keyOf(upload_id), document: null, expected: version, rows: [{ list: LIST, delete: upload_id }] };
  }

  async function deletePartial(found: Stored<PartialUpload>): Promise<void> {
    const { id } = found.document.blob;
    await store.commit([deletePartialUpload(found), orphanBlobs.markOrphan(id)]);
    await orphanBlobs.discard(id);
  }

  async function deleteAt(uploadId: string): Promise<void> {
    const found = await find(uploadId);
    if (found !== null) await deletePartial(found);
  }

  return {
    lock,
    find,

    async begin(document, before) {
      const row = { list: LIST, put: { id: document.upload_id, order: document.expires_at } };
      const changes = [change(document, before?.version ?? null, [row])];
      if (before !== null) changes.push(orphanBlobs.markOrphan(before.document.blob.id));
      await store.commit(changes);
      if (before !== null) await orphanBlobs.discard(before.document.blob.id);
      return { document, version: (before?.version ?? 0) + 1 };
    },

    async save({ document, version }) {
      await store.commit([change(document, version, [])]);
      return { document, version: version + 1 };
    },

    deletePartialUpload,
    delete: deletePartial,

    async drop(uploadId) {
      try {
        await lock.runExclusive(uploadId, () => deleteAt(uploadId));
      } catch (error) {
        if (isStepwellError(error, "conflict")) return;
        logger.warn("could not delete a partial upload; it is deleted when its upload URL expires", { error });
      }
    },

    discard: (uploadId) => lock.runExclusive(uploadId, () => deleteAt(uploadId), notFound("upload URL", uploadId)),

    async sweep(isStopped = () => false) {
      for await (const uploadId of rowIds(store, LIST, { until: instant(clock.now()) })) {
        if (isStopped()) return;
        if (!lock.isHeld(uploadId)) await lock.runExclusive(uploadId, () => deleteAt(uploadId));
      }
    },

    close: () => lock.abortAll(new StepwellError("conflict", "The service is shutting down. Resume the upload later.")),
  };
}

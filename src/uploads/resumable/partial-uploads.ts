/** Stores partial uploads, and gives one request at a time access to each. */

import { rowIds } from "../../documents/documents.ts";
import { isStepwellError, StepwellError } from "../../errors.ts";
import type { OrphanBlobs } from "../../files/orphan-blobs.ts";
import type { BlobProgress } from "../../ports/blobs.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Change, RowChange, Store, Stored } from "../../ports/store.ts";
import { instant } from "../../time/iso.ts";
import { attemptOf, type PartialUpload, partialKey, type TakeoverReason } from "./partial-upload.ts";
import { createUploadLock, type HeldAct, takeoverError } from "./upload-lock.ts";
import { createUploadTurns, type OtherReceivers, withoutHolder } from "./upload-turns.ts";

/** In a cluster, all that change a partial upload throw `conflict` if a request of another process came first. */
export interface PartialUploads {
  /**
   * Ends the request that has access, also one of another process, then calls `act`. Needed for all changes, except for
   * {@link drop}, {@link discard} and {@link sweep}.
   * @throws StepwellError `conflict` if a later request came before; whatever `act` throws
   */
  runExclusive<T>(uploadId: string, act: HeldAct<T>): Promise<T>;
  find(uploadId: string): Promise<Stored<PartialUpload> | null>;
  /** Starts a partial upload. Replaces an earlier one at the same upload URL. */
  begin(upload: PartialUpload, before: Stored<PartialUpload> | null): Promise<Stored<PartialUpload>>;
  /** To be called before the first byte is written: other processes then let this request end before they go on. */
  take(found: Stored<PartialUpload>, abort: (reason: StepwellError) => void): Promise<Stored<PartialUpload>>;
  /** Acknowledges the stored bytes. @param isLast Whether this request writes no more. */
  save(found: Stored<PartialUpload>, isLast: boolean): Promise<Stored<PartialUpload>>;
  /** Calls `commit`, which deletes the partial upload with the change that it gets and stores the file that the bytes become. */
  complete<T>(found: Stored<PartialUpload>, commit: (deletion: Change) => Promise<T>): Promise<T>;
  /** Records a blob before its first byte. {@link moveTo} refers to it. */
  recordBlob(blobId: string): Promise<void>;
  /** Deletes a recorded blob to which nothing refers. Never rejects. */
  discardBlob(blobId: string): Promise<void>;
  /** Refers to another blob: a recorded one, or one without bytes. Deletes the one before. */
  moveTo(found: Stored<PartialUpload>, blob: BlobProgress): Promise<Stored<PartialUpload>>;
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

/** @param parts.receivers The other processes of the cluster, if this one has not the store for itself. */
export function createPartialUploads(parts: {
  store: Store;
  orphanBlobs: OrphanBlobs;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  receivers?: OtherReceivers | undefined;
}): PartialUploads {
  const { store, orphanBlobs, clock, logger, receivers } = parts;
  const lock = createUploadLock();
  const turns = receivers === undefined ? undefined : createUploadTurns({ ...parts, others: receivers });

  const find = (uploadId: string) => store.get<PartialUpload>(partialKey(uploadId));

  function change(document: PartialUpload, version: number | null, rows: readonly RowChange[]): Change {
    return { key: partialKey(document.upload_id), document, expected: version, rows };
  }

  function deletionOf({ document: { upload_id }, version }: Stored<PartialUpload>): Change {
    const rows = [{ list: LIST, delete: upload_id }];
    return { key: partialKey(upload_id), document: null, expected: version, rows };
  }

  /** Commits a change of a document, with the version that it has if only `asked` has changed. */
  function whileHeld<T>(
    found: Stored<PartialUpload>,
    commit: (found: Stored<PartialUpload>) => Promise<T>,
    isLast: boolean,
  ): Promise<T> {
    return turns === undefined ? commit(found) : turns.whileHeld(found, commit, isLast);
  }

  /** Bytes may still arrive at an abandoned blob: a later sweep deletes it. */
  async function discardBlobOf({ document: { blob, is_abandoned } }: Stored<PartialUpload>): Promise<void> {
    if (is_abandoned !== true) await orphanBlobs.discard(blob.id);
  }

  async function deletePartial(partial: Stored<PartialUpload>): Promise<void> {
    turns?.check(partial);
    const { id, size } = partial.document.blob;
    const commit = (found: Stored<PartialUpload>) =>
      store.commit([deletionOf(found), orphanBlobs.markOrphan(id, size)]);
    await whileHeld(partial, commit, true);
    await discardBlobOf(partial);
  }

  async function deleteAt(uploadId: string): Promise<void> {
    const found = await find(uploadId);
    if (found !== null) await deletePartial(found);
  }

  function runExclusive<T>(uploadId: string, act: HeldAct<T>, why: TakeoverReason = "replaced"): Promise<T> {
    const reason = takeoverError(uploadId, why);
    if (turns === undefined) return lock.runExclusive(uploadId, act, reason);
    return lock.runExclusive(
      uploadId,
      async (signal, abort) => {
        await turns.waitUntilFree(uploadId, signal, why);
        try {
          return await act(signal, abort);
        } finally {
          await turns.end(uploadId);
        }
      },
      reason,
    );
  }

  return {
    runExclusive: (uploadId, act) => runExclusive(uploadId, act),
    find,

    async begin(document, before) {
      if (before !== null) turns?.check(before);
      const row = { list: LIST, put: { id: document.upload_id, order: document.expires_at } };
      const changes = [change(document, before?.version ?? null, [row])];
      if (before !== null) changes.push(orphanBlobs.markOrphan(before.document.blob.id, before.document.blob.size));
      try {
        await store.commit(changes);
      } catch (error) {
        if (turns === undefined || !isStepwellError(error, "conflict")) throw error;
        throw takeoverError(document.upload_id, "replaced");
      }
      if (before !== null) await discardBlobOf(before);
      return { document, version: (before?.version ?? 0) + 1 };
    },

    take: async (found, abort) => (turns === undefined ? found : turns.take(found, abort)),

    save: (partial, isLast) =>
      whileHeld(
        partial,
        async (found) => {
          const document = isLast ? withoutHolder(found.document) : found.document;
          await store.commit([change(document, found.version, [])]);
          return { document, version: found.version + 1 };
        },
        isLast,
      ),

    complete: (partial, commit) => whileHeld(partial, (found) => commit(deletionOf(found)), true),

    recordBlob: (blobId) => store.commit([orphanBlobs.markOrphan(blobId)]),
    discardBlob: (blobId) => orphanBlobs.discard(blobId),

    async moveTo(partial, blob) {
      const { blob: before } = partial.document;
      const moved = await whileHeld(
        partial,
        async ({ document: { is_abandoned: _, ...found }, version }) => {
          const document: PartialUpload = { ...found, blob, attempt: attemptOf(found) };
          const changes = [change(document, version, []), orphanBlobs.markOrphan(before.id, before.size)];
          if (blob.size > 0) changes.push(orphanBlobs.unmarkOrphan(blob.id));
          await store.commit(changes);
          return { document, version: version + 1 };
        },
        false,
      );
      await discardBlobOf(partial);
      return moved;
    },

    delete: deletePartial,

    async drop(uploadId) {
      try {
        await runExclusive(uploadId, () => deleteAt(uploadId));
      } catch (error) {
        if (isStepwellError(error, "conflict")) return;
        logger.warn("could not delete a partial upload; it is deleted when its upload URL expires", { error });
      }
    },

    discard: (uploadId) => runExclusive(uploadId, () => deleteAt(uploadId), "deleted"),

    async sweep(isStopped = () => false) {
      for await (const uploadId of rowIds(store, LIST, { until: instant(clock.now()) })) {
        if (isStopped()) return;
        if (lock.isHeld(uploadId) || (await turns?.isHeldElsewhere(uploadId)) === true) continue;
        await runExclusive(uploadId, () => deleteAt(uploadId)).catch((error: unknown) => {
          if (turns === undefined || !isStepwellError(error, "conflict")) throw error; // a request came first
        });
      }
    },

    async close() {
      turns?.close();
      await lock.abortAll(new StepwellError("conflict", "The service is shutting down. Resume the upload later."));
    },
  };
}

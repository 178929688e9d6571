/** Stores a blob and the document that refers to it, so that whatever fails in between leaves no bytes behind. */
import { isStepwellError, StepwellError } from "../errors.ts";
import type { Blobs, BlobWriter } from "../ports/blobs.ts";
import { closedError } from "../ports/closed-error.ts";
import type { Ids } from "../ports/ids.ts";
import type { Change, Store } from "../ports/store.ts";
import type { OrphanBlobs } from "./orphan-blobs.ts";

interface NewBlob<Written, Result> {
  /** Maximum number of bytes. */
  readonly maxSize: number;
  /** Writes all bytes and finishes the writer. */
  write(writer: BlobWriter): Promise<Written>;
  /**
   * Commits the document that refers to the blob, with the given change. Without the change, a later process deletes the
   * blob.
   */
  refer(written: Written, change: Change): Promise<Result>;
}

/**
 * If `write` or `refer` rejects, the blob is deleted and the call rejects with the same error.
 * @throws StepwellError `unavailable`; in a cluster `request_timeout` if it took longer than a day, because then another process
 * may have deleted the bytes
 */
export type StoreBlob = <Written, Result>(blob: NewBlob<Written, Result>) => Promise<Result>;

export interface BlobStorer {
  readonly storeBlob: StoreBlob;
  /** Ends all writing, however long its bytes take to come. Resolves when nothing uses the storage any more. */
  close(): Promise<void>;
}

export function createBlobStorer(parts: {
  store: Store;
  blobs: Blobs;
  orphanBlobs: OrphanBlobs;
  ids: Ids;
}): BlobStorer {
  const { store, blobs, orphanBlobs, ids } = parts;
  const writing = new Set<(error: StepwellError) => void>();
  const pending = new Set<Promise<unknown>>();
  let isClosed = false;

  /** Rejects at the close, even if the bytes never come. */
  function untilClose<Written>(written: Promise<Written>): Promise<Written> {
    return new Promise((resolve, reject) => {
      writing.add(reject);
      void written.then(resolve, reject).finally(() => writing.delete(reject));
    });
  }

  async function storeNew<Written, Result>({ maxSize, write, refer }: NewBlob<Written, Result>): Promise<Result> {
    if (isClosed) throw closedError();
    const blobId = ids.next("blob");
    await store.commit([orphanBlobs.markOrphan(blobId)]);
    const writer = blobs.open(blobId, maxSize);
    const unmark = orphanBlobs.unmarkOrphan(blobId);
    let isStored = false;
    try {
      const written = await untilClose(write(writer));
      isStored = true;
      return await refer(written, unmark);
    } catch (error) {
      const hasNoResponse = isStepwellError(error, "unavailable");
      // The commit may still take effect after a crash, so keep the bytes.
      if (isStored && hasNoResponse) void orphanBlobs.discardUnacknowledged(blobId);
      else {
        await writer.abort();
        await orphanBlobs.discard(blobId, hasNoResponse ? writer.size : undefined);
      }
      throw isStepwellError(error, "conflict") && error.key === unmark.key ? tooSlow(error) : error;
    }
  }

  return {
    storeBlob(blob) {
      const stored = storeNew(blob);
      const done = () => void pending.delete(stored);
      pending.add(stored);
      stored.then(done, done);
      return stored;
    },

    async close() {
      isClosed = true;
      for (const end of writing) end(closedError());
      await Promise.allSettled(pending);
    },
  };
}

function tooSlow(cause: StepwellError): StepwellError {
  const message = "The file took longer than a day to arrive, so its bytes were deleted. Send it again, faster.";
  return new StepwellError("request_timeout", message, { cause });
}

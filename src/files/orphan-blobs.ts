/**
 * Blobs to which no document refers. A blob is marked as an orphan before it is written, and unmarked in the commit of the
 * document that refers to it. The marks show what a killed process left behind, without listing keys.
 */

import { rowIds } from "../documents/documents.ts";
import { isStepwellError } from "../errors.ts";
import type { Blobs } from "../ports/blobs.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Logger } from "../ports/logger.ts";
import type { Change, Key, Store } from "../ports/store.ts";
import { instant } from "../time/iso.ts";

export interface OrphanBlobs {
  /** The change to commit before writing the first byte, or with the deletion of the document that refers to the blob. */
  markOrphan(blobId: string): Change;
  /** The change to commit with the document that refers to the blob. */
  unmarkOrphan(blobId: string): Change;
  /**
   * Deletes a blob, then its mark. Never rejects: the next {@link sweep} deletes what could not be deleted now.
   * @param unacknowledgedBytes Bytes of the blob, if the storage did not respond to a write. The write may take effect
   * later, so the next sweep checks again.
   */
  discard(blobId: string, unacknowledgedBytes?: number): Promise<void>;
  /**
   * Like {@link discard}, for a blob whose {@link unmarkOrphan} was committed without a response. After a crash, a
   * document may refer to it, so it is kept until the storage has responded to a later commit.
   */
  discardUnacknowledged(blobId: string): Promise<void>;
  /** Deletes what earlier processes and failures of this one left. Ignores blobs that are being written. */
  sweep(isStopped?: () => boolean): Promise<void>;
}

const LIST = "blobs.orphans";
const keyOf = (blobId: string): Key => `orphan:${blobId}`;

export function createOrphanBlobs(parts: {
  store: Store;
  blobs: Blobs;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}): OrphanBlobs {
  const { store, blobs, clock, ids, logger } = parts;
  /** Ids of one process ascend, so the blobs of this process sort after this one. */
  const start = ids.next("blob");

  /** Blobs that this process could not delete, with their maximum number of bytes. */
  const remaining = new Map<string, number>();

  const markOrphan = (blobId: string): Change => ({
    key: keyOf(blobId),
    document: { created_at: instant(clock.now()) },
    rows: [{ list: LIST, put: { id: blobId } }],
  });

  const unmarkOrphan = (blobId: string, version = 1): Change => ({
    key: keyOf(blobId),
    document: null,
    expected: version,
    rows: [{ list: LIST, delete: blobId }],
  });

  /** Does nothing if a document refers to the blob, or it does not exist. */
  async function remove(blobId: string): Promise<void> {
    const found = await store.get(keyOf(blobId));
    if (found !== null) {
      // Once this commit is stored, no earlier commit without a response can still take effect.
      if (remaining.has(blobId)) await store.commit([{ ...markOrphan(blobId), expected: found.version }]);
      await blobs.sweep(blobId, remaining.get(blobId));
      await store.commit([unmarkOrphan(blobId, remaining.has(blobId) ? found.version + 1 : found.version)]);
    }
    remaining.delete(blobId);
  }

  async function discard(blobId: string, unacknowledgedBytes?: number): Promise<void> {
    try {
      if (unacknowledgedBytes === undefined) return await remove(blobId);
      remaining.set(blobId, unacknowledgedBytes);
      await blobs.sweep(blobId, unacknowledgedBytes);
    } catch (error) {
      if (isStepwellError(error, "conflict")) return; // a concurrent call deleted it
      remaining.set(blobId, remaining.get(blobId) ?? 0);
      logger.warn("could not delete a blob; retrying within an hour", { blob: blobId, error });
    }
  }

  return {
    markOrphan,
    unmarkOrphan,
    discard,
    async discardUnacknowledged(blobId) {
      remaining.set(blobId, 0);
      await discard(blobId);
    },
    async sweep(isStopped = () => false) {
      for await (const blobId of rowIds(store, LIST)) {
        if (isStopped()) return;
        if (blobId < start || remaining.has(blobId)) await discard(blobId);
      }
    },
  };
}

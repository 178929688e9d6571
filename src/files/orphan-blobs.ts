/**
 * Blobs without an owner. A blob is recorded as an orphan before it is written, and released in the commit that gives it
 * an owner. These records show what a killed process left behind, without listing keys.
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
  /** The change to commit before writing the first byte, or with the deletion of the owner. */
  markOrphan(blobId: string): Change;
  /** The change to commit with the document that owns the blob. */
  adopt(blobId: string): Change;
  /**
   * Deletes a blob, then its record. Never rejects: the next {@link sweep} deletes what could not be deleted now.
   * @param unanswered Bytes of the blob, if the storage did not respond to a write: the write may take effect later, so the
   * next sweep checks again.
   */
  discard(blobId: string, unanswered?: number): Promise<void>;
  /**
   * Like {@link discard}, for a blob whose {@link adopt} was committed without a response. It may have an owner after a
   * crash, so it is kept until the storage has responded to a later commit.
   */
  giveUp(blobId: string): Promise<void>;
  /** Deletes what earlier processes and failures of this one left. Ignores blobs that are being written. */
  sweep(isStopped?: () => boolean): Promise<void>;
}

const LIST = "blobs.loose";
const keyOf = (blobId: string): Key => `loose:${blobId}`;

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
  const left = new Map<string, number>();

  const markOrphan = (blobId: string): Change => ({
    key: keyOf(blobId),
    document: { created_at: instant(clock.now()) },
    rows: [{ list: LIST, put: { id: blobId } }],
  });

  const adopt = (blobId: string, version = 1): Change => ({
    key: keyOf(blobId),
    document: null,
    expected: version,
    rows: [{ list: LIST, take: blobId }],
  });

  /** Does nothing if the blob has an owner or does not exist. */
  async function remove(blobId: string): Promise<void> {
    const found = await store.get(keyOf(blobId));
    if (found !== null) {
      // Once this commit is stored, no earlier commit without a response can still take effect.
      if (left.has(blobId)) await store.commit([{ ...markOrphan(blobId), expected: found.version }]);
      await blobs.sweep(blobId, left.get(blobId));
      await store.commit([adopt(blobId, left.has(blobId) ? found.version + 1 : found.version)]);
    }
    left.delete(blobId);
  }

  async function discard(blobId: string, unanswered?: number): Promise<void> {
    try {
      if (unanswered === undefined) return await remove(blobId);
      left.set(blobId, unanswered);
      await blobs.sweep(blobId, unanswered);
    } catch (error) {
      if (isStepwellError(error, "conflict")) return; // a concurrent call deleted it
      left.set(blobId, left.get(blobId) ?? 0);
      logger.warn("could not delete a blob; retrying within an hour", { blob: blobId, error });
    }
  }

  return {
    markOrphan,
    adopt,
    discard,
    async giveUp(blobId) {
      left.set(blobId, 0);
      await discard(blobId);
    },
    async sweep(isStopped = () => false) {
      for await (const blobId of rowIds(store, LIST)) {
        if (isStopped()) return;
        if (blobId < start || left.has(blobId)) await discard(blobId);
      }
    },
  };
}

/**
 * Bytes that no document owns yet, or any more: recorded before they are written, released in the commit that gives
 * them an owner. What a killed process left behind is found by these records, without listing keys.
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
  /** To be committed before the first byte is written, or with the removal of the owner. */
  markOrphan(blobId: string): Change;
  /** To be committed with the document that owns the bytes. */
  adopt(blobId: string): Change;
  /**
   * Removes bytes, then their record. Never rejects: what cannot be removed now is left to the next {@link sweep}.
   * @param unanswered Bytes, where a write of them went without an answer: it may take effect later, so the next sweep
   * looks again.
   */
  discard(blobId: string, unanswered?: number): Promise<void>;
  /**
   * As {@link discard}, for bytes whose {@link adopt} was committed without an answer: they may have an owner after a
   * crash, so they stay until the storage has answered a later commit.
   */
  giveUp(blobId: string): Promise<void>;
  /** Removes what earlier processes, and failures of this one, left; what is being written is not touched. */
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
  /** Ids of one process only grow: everything of ours is above. */
  const start = ids.next("blob");

  /** Of this process: what it could not remove, and how many bytes of it there may be. */
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

  /** Nothing happens to what has an owner, or is gone. */
  async function remove(blobId: string): Promise<void> {
    const found = await store.get(keyOf(blobId));
    if (found !== null) {
      // Once this is stored, no commit before it that went without an answer can turn out to have happened.
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
      if (isStepwellError(error, "conflict")) return; // somebody else was first
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

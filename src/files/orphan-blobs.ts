/**
 * Blobs to which no document refers. A blob is marked as an orphan before it is written, and unmarked in the commit of the
 * document that refers to it. The marks show what a killed process left behind, without listing keys.
 */

import { rowIds } from "../documents/documents.ts";
import { isStepwellError } from "../errors.ts";
import { omitUndefined } from "../json.ts";
import type { Blobs } from "../ports/blobs.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Logger } from "../ports/logger.ts";
import type { Change, Key, Store } from "../ports/store.ts";
import { instant } from "../time/iso.ts";
import { DAY_MS } from "../time/units.ts";

export interface OrphanBlobs {
  /**
   * The change to commit before writing the first byte, or with the deletion of the document that refers to the blob.
   * @param size Number of acknowledged bytes. All of them are deleted, even if the storage has lost some. @default 0
   */
  markOrphan(blobId: string, size?: number): Change;
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
  /**
   * Deletes what earlier processes and failures of this one left. Ignores blobs that are being written. In a cluster, those that
   * another process may still be writing are ignored for a day.
   */
  sweep(isStopped?: () => boolean): Promise<void>;
}

interface Mark {
  readonly created_at: string;
  /** Number of bytes that are known to be stored. */
  readonly size?: number;
}

/** A blob of another process that is older is not being written any more. One that is loses its bytes, but is not referred to. */
const ABANDONED_MS = DAY_MS;
const LIST = "blobs.orphans";
const keyOf = (blobId: string): Key => `orphan:${blobId}`;

export function createOrphanBlobs(parts: {
  store: Store;
  blobs: Blobs;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  /** Whether other processes store blobs at the same time. @default false */
  isShared?: boolean;
}): OrphanBlobs {
  const { store, blobs, clock, ids, logger, isShared = false } = parts;
  /** Ids of one process ascend, so the blobs of this process sort after this one. */
  const start = ids.next("blob");

  /** Blobs that this process could not delete, with their maximum number of bytes. */
  const remaining = new Map<string, number>();

  const mark = (blobId: string, document: Mark): Change => ({
    ...{ key: keyOf(blobId), document },
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
    const found = await store.get<Mark>(keyOf(blobId));
    if (found !== null) {
      const { document, version: expected } = found;
      // Once this commit is stored, no earlier commit without a response can still take effect, nor one of another process.
      const isRaised = isShared || remaining.has(blobId);
      if (isRaised) await store.commit([{ ...mark(blobId, document), expected }]);
      await blobs.sweep(blobId, Math.max(remaining.get(blobId) ?? 0, document.size ?? 0));
      await store.commit([unmarkOrphan(blobId, isRaised ? expected + 1 : expected)]);
    }
    remaining.delete(blobId);
  }

  async function isAbandoned(blobId: string): Promise<boolean> {
    if (remaining.has(blobId)) return true;
    if (!isShared) return blobId < start;
    const found = await store.get<Mark>(keyOf(blobId));
    return found !== null && found.document.created_at <= instant(clock.now() - ABANDONED_MS);
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
    markOrphan: (blobId, size) => mark(blobId, { created_at: instant(clock.now()), ...omitUndefined({ size }) }),
    unmarkOrphan,
    discard,
    async discardUnacknowledged(blobId) {
      remaining.set(blobId, 0);
      await discard(blobId);
    },
    async sweep(isStopped = () => false) {
      for await (const blobId of rowIds(store, LIST)) {
        if (isStopped()) return;
        if (await isAbandoned(blobId)) await discard(blobId);
      }
    },
  };
}

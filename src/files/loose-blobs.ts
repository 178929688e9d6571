/**
 * Bytes that no document owns yet, or any more: recorded before they are written, released in the commit that gives
 * them an owner. What a killed process left behind is found by these records, without listing keys.
 */
import { instant } from "../clock.ts";
import { isStepwellError } from "../errors.ts";
import type { Blobs } from "../ports/blobs.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Logger } from "../ports/logger.ts";
import type { Change, Key, Store } from "../ports/store.ts";

export interface LooseBlobs {
  /** To be committed before the first byte is written, or with the removal of the owner. */
  recorded(blobId: string): Change;
  /** To be committed with the document that owns the bytes. */
  released(blobId: string): Change;
  /** Removes bytes, then their record. Never rejects: what cannot be removed now is left to the next {@link sweep}. */
  discard(blobId: string): Promise<void>;
  /** Removes what the processes before this one left; what this one is writing is not touched. For start-up. */
  sweep(): Promise<void>;
}

const LIST = "blobs.loose";
const BATCH = 100;
const keyOf = (blobId: string): Key => `loose:${blobId}`;

export function createLooseBlobs(parts: {
  store: Store;
  blobs: Blobs;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}): LooseBlobs {
  const { store, blobs, clock, ids, logger } = parts;
  /** Ids of one process only grow: everything of ours is above. */
  const start = ids.next("blob");

  const released = (blobId: string): Change => ({
    key: keyOf(blobId),
    document: null,
    expected: 1,
    rows: [{ list: LIST, take: blobId }],
  });

  async function discard(blobId: string): Promise<void> {
    try {
      await blobs.sweep(blobId);
      await store.commit([released(blobId)]);
    } catch (error) {
      if (isStepwellError(error, "conflict")) return; // somebody else was first
      logger.warn("bytes of a file could not be removed; the next start tries again", { blob: blobId, error });
    }
  }

  return {
    recorded: (blobId) => ({
      key: keyOf(blobId),
      document: { created_at: instant(clock.now()) },
      rows: [{ list: LIST, put: { id: blobId } }],
    }),
    released,
    discard,
    async sweep() {
      let after: string | undefined;
      do {
        const page = await store.list(LIST, { limit: BATCH, ...(after === undefined ? {} : { after }) });
        for (const blobId of page.ids) {
          if (blobId < start) await discard(blobId);
        }
        after = page.next;
      } while (after !== undefined);
    },
  };
}

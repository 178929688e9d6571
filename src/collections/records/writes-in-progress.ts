/**
 * The writes of records that are in progress. A write adds rows to the indexes that its collection had when it began. So
 * building or emptying an index first waits for the writes that began before.
 */
import type { CollectionRef, Records } from "./records.ts";

export interface WritesInProgress {
  /** @param write Reads the collection and commits the record. */
  track<Result>(collectionId: string, write: () => Promise<Result>): Promise<Result>;
  /** Resolves when the writes of the collection that have already begun have ended. */
  settled(collectionId: string): Promise<void>;
}

export function createWritesInProgress(): WritesInProgress {
  const writes = new Map<string, Set<Promise<unknown>>>();

  return {
    track(collectionId, write) {
      const others = writes.get(collectionId) ?? new Set();
      writes.set(collectionId, others);
      const written = write();
      const ended = written
        .catch(() => undefined)
        .then(() => {
          others.delete(ended);
          if (others.size === 0 && writes.get(collectionId) === others) writes.delete(collectionId);
        });
      others.add(ended);
      return written;
    },

    async settled(collectionId) {
      await Promise.all(writes.get(collectionId) ?? []);
    },
  };
}

/** Tracks every write of records. */
export function trackWrites(records: Records, { track }: Pick<WritesInProgress, "track">): Records {
  function tracked<At extends CollectionRef, Rest extends readonly unknown[], Result>(
    write: (at: At, ...rest: Rest) => Promise<Result>,
  ) {
    return (at: At, ...rest: Rest) => track(at.collection_id, () => write(at, ...rest));
  }
  return {
    ...records,
    create: tracked(records.create),
    update: tracked(records.update),
    upsert: tracked(records.upsert),
    evaluate: tracked(records.evaluate),
    remove: tracked(records.remove),
  };
}

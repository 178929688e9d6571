/**
 * The indexes that writes of records maintain, in memory: a write must know an index before the collection that names it is
 * stored. Otherwise a record could be stored without its row after the building of the index has passed it.
 */
import type { CollectionDocument } from "../collection.ts";
import type { RecordIndex } from "./record-index.ts";

type OfCollection = Pick<CollectionDocument, "id" | "indexes">;

/** An index, and whether its rows are being removed. */
export interface KnownIndex extends Pick<RecordIndex, "id" | "path"> {
  readonly isRemoved: boolean;
}

export interface KnownIndexes {
  /** Those of a collection whose document was read before. */
  of(collectionId: string): readonly KnownIndex[];
  /** Called with each document that was read. Only the first counts: a later one may be older than what is known. */
  learn(document: OfCollection): void;
  /** Called before a document is stored. */
  expect(document: OfCollection): void;
  /** Called when a document was stored. */
  confirm(document: OfCollection): void;
  /** Called with new indexes that were expected, but not stored: writes remove the rows that others have put meanwhile. */
  abandon(collectionId: string, indexIds: readonly string[]): void;
  /** Called when the rows of an index were removed. */
  forget(collectionId: string, indexId: string): void;
}

export function createKnownIndexes(): KnownIndexes {
  /** Collections with indexes. They stay when they have none anymore, so that no outdated document counts. */
  const known = new Map<string, ReadonlyMap<string, KnownIndex>>();
  const of = (collectionId: string) => known.get(collectionId) ?? new Map<string, KnownIndex>();

  function add({ id, indexes = [] }: OfCollection, isRemoved: (index: RecordIndex) => boolean): void {
    const found = new Map(of(id));
    for (const index of indexes) {
      const before = found.get(index.id);
      // A removed index never comes back.
      found.set(index.id, {
        id: index.id,
        path: index.path,
        isRemoved: before?.isRemoved === true || isRemoved(index),
      });
    }
    if (found.size > 0) known.set(id, found);
  }

  return {
    of: (collectionId) => [...of(collectionId).values()],
    learn(document) {
      if (!known.has(document.id)) add(document, ({ state }) => state === "removing");
    },
    // If storing fails, an index that it removes is still in use.
    expect: (document) => add(document, () => false),
    confirm: (document) => add(document, ({ state }) => state === "removing"),
    abandon(collectionId, indexIds) {
      const found = new Map(of(collectionId));
      for (const id of indexIds) {
        const index = found.get(id);
        if (index !== undefined) found.set(id, { ...index, isRemoved: true });
      }
      if (found.size > 0) known.set(collectionId, found);
    },
    forget(collectionId, indexId) {
      const found = new Map(of(collectionId));
      found.delete(indexId);
      known.set(collectionId, found);
    },
  };
}

/** All that a store contains, for moving it to another store. Not for slices: they ask for what they know. */
import type { Document, Key, Row, RowChange, Store } from "./store.ts";

/** A document with its version. */
export interface ContentDocument {
  readonly key: Key;
  readonly version: number;
  readonly document: Document;
  /** Its rows, if the store keeps them with the document. Otherwise {@link StoreContents.rows} names their documents. */
  readonly rows?: readonly ContentRow[];
}

/** A row of a list. */
export interface ContentRow {
  readonly list: string;
  readonly row: Row;
  /** Key of the document to which it belongs. Null in derived lists, and if {@link ContentDocument.rows} says it. */
  readonly document: Key | null;
}

/** The place of a row among all rows of a store. */
export interface RowPlace {
  readonly list: string;
  readonly order: string;
  readonly id: string;
}

/** A document to write with the version that it has elsewhere. */
export interface ContentWrite {
  readonly key: Key;
  /** Null deletes it. */
  readonly version: number | null;
  readonly json: string;
  /** Changes of its rows. Rows that it has already stay. */
  readonly rows: readonly RowChange[];
}

/**
 * Reads and writes everything in batches. Nothing else may use the store meanwhile. Reading holds one batch in memory.
 * Texts of rows may come back with U+FFFD for characters that are no text: a NUL, or half of a surrogate pair.
 */
export interface StoreContents {
  /** Whether {@link ContentDocument.rows} has the rows that belong to documents. */
  readonly hasRowsInDocuments: boolean;
  /**
   * Pages of all documents, in ascending order of their keys.
   * @param after Begins behind this key. Null for all.
   * @throws StepwellError `unavailable` that names what is damaged
   */
  documents(after: string | null): AsyncIterable<readonly ContentDocument[]>;
  /**
   * Pages of the rows of all lists, those of a list one after the other, in an order that is always the same.
   * @param after Begins behind this row. Null for all.
   * @throws StepwellError `unavailable` that names what is damaged
   */
  rows(after: RowPlace | null): AsyncIterable<readonly ContentRow[]>;
  /**
   * Writes documents and rows of derived lists in one commit, without looking at what is there.
   * @throws StepwellError `unavailable` if nothing was stored
   */
  write(writes: readonly ContentWrite[], derived: readonly RowChange[]): Promise<void>;
}

/** A store that can be moved. */
export interface MovableStore extends Store {
  readonly contents: StoreContents;
}

export function isMovable(store: Store): store is MovableStore {
  return "contents" in store && typeof store.contents === "object";
}

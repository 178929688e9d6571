/**
 * Documents with versions, and ordered lists of them.
 *
 * The port that all slices write through. It is small on purpose: anything with transactions and ordered keys
 * (SQLite, Redis with scripts) can implement it directly. Nobody above it ever asks a driver for its keys.
 */

/** A document: a plain JSON object. What was put in comes back the same, and frozen: it may be shared. */
export type Document = object;

/**
 * Where a document lives: two segments, `kind:id`, lower-case letters, digits, `_`, `-`, `.` only (keys become file
 * names on some drivers). Nothing that a user chose is ever part of a key.
 */
export type Key = `${string}:${string}`;

/** A document as it was found. */
export interface Stored<T extends Document> {
  /** Starts at 1 and grows by 1 with each put. */
  readonly version: number;
  readonly document: T;
}

/** An entry of a list: stands for a document without holding it. */
export interface Row {
  /** Unique in the list; usually the id of the document. */
  readonly id: string;
  /**
   * What the list is ordered by, ascending by code units, ties by id. Defaults to the id, and ids grow with time, so
   * the usual list is in order of creation.
   */
  readonly order?: string | undefined;
  /** Text that `search` looks into, already folded (see `fold` in src/documents/pagination.ts). */
  readonly text?: string | undefined;
  /** What the row can be chosen by, such as `visibility:PUBLIC` or `tag:tag_1`. */
  readonly marks?: readonly string[] | undefined;
}

/**
 * A change to one list that appears together with the document of the same change. A row belongs to one document: only
 * changes of that document put it and take it, so that a repair can build lists from documents.
 */
export type RowChange =
  /** Adds the row, or replaces the row with the same id. */
  | { readonly list: string; readonly put: Row }
  /** Takes the row out; nothing happens when it is not there. */
  | { readonly list: string; readonly take: string };

/** One change of a commit. */
export interface Change {
  readonly key: Key;
  /** The new document whole, or null to remove it. */
  readonly document: Document | null;
  /**
   * What must be there: a version, or null for nothing at all. Left out: the key was generated a moment ago, so
   * nothing can be there and the store does not look (the document gets version 1).
   */
  readonly expected?: number | null | undefined;
  readonly rows?: readonly RowChange[];
}

/** Which rows of a list are wanted. */
export interface ListQuery {
  /** Rows to pass over, default 0. */
  readonly offset?: number | undefined;
  /** Rows to give at the most. */
  readonly limit: number;
  /** Newest first (descending order), the default; false gives ascending order. */
  readonly descending?: boolean;
  /** Start behind this position (`next` of an earlier page): stable while others add and take rows. */
  readonly after?: string | undefined;
  /** Only rows whose order is at most (ascending) this value: what is due. */
  readonly until?: string | undefined;
  /** Only rows whose text contains this, already folded. */
  readonly search?: string | undefined;
  /** Only rows that carry at least one mark of each group; without groups, all. */
  readonly marks?: readonly (readonly string[])[] | undefined;
}

export interface RowPage {
  readonly ids: readonly string[];
  /** Rows of the list that the query chooses without offset, limit and after; not counted when there is a search. */
  readonly total?: number | undefined;
  /** Position to go on from; absent when no further row is chosen. */
  readonly next?: string | undefined;
}

/** A page with the documents that its rows stand for. */
export interface DocumentPage<T extends Document> extends RowPage {
  /** In the order of the rows; without those that were removed after the rows were read. */
  readonly documents: readonly Stored<T>[];
}

/**
 * Guarantees:
 * - A commit is all or nothing, for its documents and rows together, also across a crash at any moment.
 * - A resolved commit is stored: it is there after kill -9. A rejected one is not seen by anyone, except that after a
 *   rejection with `unavailable` and a crash right then it may turn out to be there.
 * - `expected` is checked against everything committed before: of writers that expect the same version exactly one wins,
 *   the others are rejected with `conflict` (the error's `key` tells which document).
 * - Reads see every resolved commit and nothing of an unresolved one.
 * - The cost of a commit and of a page does not grow with what is stored, except that a search or marks may look at the
 *   whole list in memory.
 */
export interface Store {
  /** Whether the last commit was not taken by the storage. */
  readonly isFailing: boolean;
  get<T extends Document>(key: Key): Promise<Stored<T> | null>;
  getMany<T extends Document>(keys: readonly Key[]): Promise<readonly (Stored<T> | null)[]>;
  /**
   * @throws StepwellError `conflict` when an expectation does not hold, `unavailable` when the driver failed or did not
   * answer in time; nothing was changed then.
   */
  commit(changes: readonly Change[]): Promise<void>;
  /** A list that was never written to is empty. Names have the form of a key's id: `collections.app_1`. */
  list(name: string, query: ListQuery): Promise<RowPage>;
  /**
   * As `list`, with the documents.
   * @param keyOf The document that a row belongs to, by the id of the row.
   * @throws StepwellError `unavailable` when the list still has a row whose document is missing
   */
  listDocuments<T extends Document>(
    name: string,
    query: ListQuery,
    keyOf: (id: string) => Key,
  ): Promise<DocumentPage<T>>;
  /** Stores what is pending and lets go of the driver. Commits that come later are rejected with `unavailable`. */
  close(): Promise<void>;
}

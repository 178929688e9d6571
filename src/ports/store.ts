/**
 * Documents with versions, and ordered lists of them.
 *
 * The interface through which all slices write. It is small, so that anything with transactions and ordered keys
 * (SQLite, Redis with scripts) can implement it directly. No code above it lists a driver's keys.
 */

/** A document: a plain JSON object. Reads return it unchanged but frozen, because it may be shared. */
export type Document = object;

/**
 * The key of a document: two segments, `kind:id`. It contains only lowercase letters, digits, `_`, `-` and `.`, because
 * keys become file names on some drivers. Nothing that a user chose is ever part of a key.
 */
export type Key = `${string}:${string}`;

/** A document as read from the store. */
export interface Stored<T extends Document> {
  /** Starts at 1 and increases by 1 with each write. */
  readonly version: number;
  /** The document, frozen. */
  readonly document: T;
}

/** An entry of a list, which represents a document without containing it. */
export interface Row {
  /** Unique in the list. Usually the document's ID. */
  readonly id: string;
  /**
   * Sort key, ascending by code units; ties are ordered by ID. Defaults to the ID. IDs increase with time, so most
   * lists are in order of creation.
   */
  readonly order?: string | undefined;
  /** Text to search, already folded (see `foldText` in src/documents/pagination.ts). */
  readonly text?: string | undefined;
  /** Labels to filter by, such as `visibility:PUBLIC` or `tag:tag_1`. */
  readonly marks?: readonly string[] | undefined;
}

/**
 * A change of a list that is committed with a document's change. A row belongs to one document: only that document's
 * changes add and remove it, so that a repair can rebuild lists from documents.
 *
 * A list whose name starts with `derived.` is an exception: its rows are not stored with documents, and can change
 * without a write of the document. The caller must be able to compute them again, because a repair empties such a list
 * if it is damaged.
 */
export type RowChange =
  /** Adds the row, or replaces the row with the same ID. */
  | {
      /** Name of the list. */
      readonly list: string;
      /** The row. */
      readonly put: Row;
    }
  /** Deletes the row. Does nothing if it doesn't exist. */
  | {
      /** Name of the list. */
      readonly list: string;
      /** ID of the row. */
      readonly delete: string;
    };

/** One change of a commit. */
export interface Change {
  /** Key of the document. */
  readonly key: Key;
  /** The complete new document, or null to delete it. */
  readonly document: Document | null;
  /** The document as JSON, if the caller has the text. */
  readonly json?: string | undefined;
  /**
   * The expected current version, or null if the document must not exist. If omitted, the key was just generated: the
   * store doesn't check, and the document gets version 1.
   */
  readonly expected?: number | null | undefined;
  /** Changes of the document's rows, and of rows of derived lists. */
  readonly rows?: readonly RowChange[];
}

/** Changes rows of derived lists if a document has a version. The document does not change. */
export interface DerivedChange {
  /** Key of the document. */
  readonly key: Key;
  /** The version that the document must have. */
  readonly expected: number;
  /** Changes of rows of derived lists. */
  readonly rows: readonly RowChange[];
}

export function changesDocument(change: Change | DerivedChange): change is Change {
  return "document" in change;
}

/** Which rows of a list to return. */
export interface ListQuery {
  /** Number of rows to skip. Default: 0. */
  readonly offset?: number | undefined;
  /** Maximum number of rows to return. With 0, all rows are counted. */
  readonly limit: number;
  /** Whether to return rows in descending order, newest first. Default: true. */
  readonly descending?: boolean;
  /** Start after this position (`next` of an earlier page). Stable while rows are added and removed. */
  readonly after?: string | undefined;
  /** Only rows whose order is at least this value. */
  readonly from?: string | undefined;
  /** Only rows whose order is at most this value, such as those that are due. */
  readonly until?: string | undefined;
  /** Only rows whose text contains this folded string. */
  readonly search?: string | undefined;
  /** Only rows that have at least one mark of each group. Without groups, all rows. */
  readonly marks?: readonly (readonly string[])[] | undefined;
  /** Whether to omit `total`, which counts all rows that match. Default: false. */
  readonly withoutTotal?: boolean;
}

export interface RowPage {
  /** IDs of the rows. */
  readonly ids: readonly string[];
  /** The order of each row. Absent if every row is ordered by its ID. */
  readonly orders?: readonly string[] | undefined;
  /** Number of rows that match, ignoring offset, limit and `after`. Omitted for searches, and if the query says so. */
  readonly total?: number | undefined;
  /** Position of the next page. Absent if there are no more rows. */
  readonly next?: string | undefined;
}

/** A page of rows with their documents. */
export interface DocumentPage<T extends Document> extends RowPage {
  /** In the order of the rows, without documents that were deleted after the rows were read. */
  readonly documents: readonly Stored<T>[];
}

/**
 * Guarantees:
 * - A commit is atomic for all its documents and rows, even if the process crashes at any moment.
 * - A resolved commit is durable, even after `kill -9`. A rejected commit is never visible, with one exception: if the
 *   process crashes after a rejection with `unavailable`, the commit may turn out to be stored.
 * - `expected` is checked against everything committed before. Of several writers that expect the same version, exactly
 *   one succeeds. The others are rejected with `conflict`, and the error's `key` names the document.
 * - Reads see every resolved commit and nothing of an unresolved one.
 * - The cost of a commit or a page doesn't grow with the amount of data, and neither does memory. Exceptions: a search, and
 *   several groups of marks that many rows have, may read the whole list.
 */
export interface Store {
  /** Whether storing the last commit failed. */
  readonly isFailing: boolean;
  /**
   * Whether this process can never use the storage again, because another one has taken it over, or it has lost what it had
   * acknowledged. Only a restart helps.
   */
  readonly isLost: boolean;
  /** Whether everything is lost with this process. What only a restart would read need not be stored then. Default: false. */
  readonly isVolatile?: boolean | undefined;
  /**
   * Asks the storage whether it responds and still belongs to this process.
   * @throws StepwellError `unavailable` if not
   */
  probe(): Promise<void>;
  /** Returns a document, or null if there is none. */
  get<T extends Document>(key: Key): Promise<Stored<T> | null>;
  /** Like `get`, in the order of the keys. */
  getMany<T extends Document>(keys: readonly Key[]): Promise<readonly (Stored<T> | null)[]>;
  /**
   * Returns the JSON text of a document without parsing it, or null if there is none. For a large document of which only a
   * part is needed: checking a long text leaves turns of the event loop to others. More characters than necessary may be escaped.
   * @param maxChars Length of the start to return. Default: the whole text.
   */
  getText(key: Key, maxChars?: number): Promise<string | null>;
  /**
   * Stores all changes atomically.
   * @throws StepwellError `conflict` if an expectation is not met, `unavailable` if the driver fails or times out.
   * Nothing was changed then.
   */
  commit(changes: readonly (Change | DerivedChange)[]): Promise<void>;
  /**
   * Returns a page of rows. A list that was never written to is empty. Names look like a key's ID: `collections.app_1`.
   */
  list(name: string, query: ListQuery): Promise<RowPage>;
  /**
   * Returns how many rows each of the lists has, all as of one moment. Totals of separate calls of `list` differ if a commit
   * comes between them.
   */
  totals(names: readonly string[]): Promise<readonly number[]>;
  /**
   * Like `list`, with the documents.
   * @param keyOf Returns the key of a row's document from the row's ID.
   * @throws StepwellError `unavailable` if the list contains a row whose document is missing.
   */
  listDocuments<T extends Document>(
    name: string,
    query: ListQuery,
    keyOf: (id: string) => Key,
  ): Promise<DocumentPage<T>>;
  /**
   * Stores pending changes and disposes of the driver. Later commits are rejected with `unavailable`.
   * @param timeUp When it resolves, pending writes are abandoned, and the driver is disposed of anyway.
   */
  close(timeUp?: Promise<void>): Promise<void>;
}

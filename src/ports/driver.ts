/**
 * Storage drivers: the part of unstorage's interface that Stepwell uses, and optional extensions. A plain unstorage
 * driver works and ignores options that it doesn't know.
 */

type MaybePromise<T> = T | Promise<T>;

/**
 * A storage driver. Every unstorage driver implements this.
 *
 * Declared here because unstorage's own declarations import those of every supported service, and compile only with
 * `skipLibCheck`.
 */
export interface Driver {
  /** Name in error messages. */
  name?: string;
  /** Where it keeps its items, for messages, such as `the folder /srv/.stepwell`. Without secrets. */
  place?: string;
  /** Whether there is an item with this key. */
  hasItem(key: string, options: object): MaybePromise<boolean>;
  /** Returns a text item, or null if it doesn't exist. */
  getItem(key: string, options?: object): MaybePromise<StorageValue>;
  /** Returns several text items in one call. Without it, `getItem` is called for each. */
  getItems?(items: ItemKey[], options?: object): MaybePromise<StoredItem[]>;
  /** Returns the bytes of an item, or null if it doesn't exist. */
  getItemRaw?(key: string, options: object): MaybePromise<unknown>;
  /** Stores text, durably once this resolves. Replaces an existing item unless `exclusive` is set. */
  setItem?(key: string, value: string, options: WriteOptions): MaybePromise<void>;
  /** Stores bytes, as `setItem` stores text. */
  setItemRaw?(key: string, value: Uint8Array, options: WriteOptions): MaybePromise<void>;
  /** Deletes an item, if it exists. */
  removeItem?(key: string, options: WriteOptions): MaybePromise<void>;
  /** Lists the keys that start with `base`. */
  getKeys(base: string, options: object): MaybePromise<string[]>;
  /** Returns the times and size of an item. Stepwell doesn't call it. */
  getMeta?(key: string, options: object): MaybePromise<DriverMeta | null>;
  /** Deletes all items whose keys start with `base`. Stepwell doesn't call it. */
  clear?(base: string, options: object): MaybePromise<void>;
  /** Releases connections, locks and timers. Called by `close`. */
  dispose?(): MaybePromise<void>;
}

type ItemKey = {
  /** Key of the item. */
  key: string;
};

type StoredItem = ItemKey & {
  /** Text of the item, or null if it doesn't exist. */
  value: StorageValue;
};

type DriverMeta = {
  /** When the item was last read. */
  atime?: Date;
  /** When the item was last written. */
  mtime?: Date;
  /** Bytes of the item. */
  size?: number;
};

/** What a driver may return for an item: a string, or a value parsed from JSON. */
export type StorageValue = null | string | number | boolean | object;

/** The third argument of `setItem`, `setItemRaw` and `openItem`, and the second of `removeItem`. */
export interface WriteOptions {
  /**
   * The owner that writes, from {@link ExtendedDriver.takeOwnership}. Once another owner has taken over, the call
   * rejects with {@link fenced}. A call that resolves took effect before that. What is appended to an item belongs to
   * the owner that opened it.
   *
   * A call that rejects may still take effect, but only in three ways. It creates an item where there is none, appends
   * to an item that this owner had opened, or replaces or deletes an item that the new owner has not written yet.
   * ARCHITECTURE.md#fencing describes how the store handles these.
   */
  readonly generation?: number | undefined;
  /**
   * Create the item but never replace it: if the key exists, reject with {@link alreadyExists} and change nothing. A
   * crash may leave the value incomplete, as with every plain driver, so callers verify what they read.
   */
  readonly exclusive?: boolean;
}

/** A part of an open file that somebody else may write. */
export interface LentFile {
  /** Number of the open file, which all threads of the process share. */
  readonly descriptor: number;
  /** Where the bytes begin. */
  readonly position: number;
}

/** An item opened for writing. */
export interface ItemWriter {
  /**
   * Appends data. Once this resolves, the data is as durable as a value stored by `setItem`. A failed or interrupted
   * write may leave the beginning of the data; don't append after that. Make one call at a time.
   */
  write(data: string | Uint8Array): void | Promise<void>;
  /**
   * Lets somebody else append bytes, such as a thread that already has them. Only for files. Calls `append` with the file, and
   * returns its answer once the bytes are as durable as those of `write`. It need not be awaited before the next call.
   */
  readonly lend?:
    | (<Answer>(length: number, append: (file: LentFile) => Promise<Answer>) => Promise<Answer>)
    | undefined;
  /** Closes the item. Don't write afterwards. */
  close(): void | Promise<void>;
}

/** Ownership of a storage. */
export interface DriverOwnership {
  /** Increases with each takeover. Identifies this owner in {@link WriteOptions}. */
  readonly generation: number;
  /** Rejects with {@link fenced} once another owner has taken over. */
  verify(): void | Promise<void>;
  /** How often the store calls `verify` while it is idle, in milliseconds. For drivers that don't call `onReplaced`. */
  readonly verifyIntervalMs?: number;
}

/** A driver with optional extensions. */
export interface ExtendedDriver extends Driver {
  /**
   * As `getKeys`, but creates nothing, not even a folder or a lock: what is there may not be a storage. For drivers whose
   * other calls create something.
   */
  peekKeys?(base: string): Promise<string[]>;
  /**
   * Whether the drivers of several processes see the same items at the same time, so that it can be `storage.blobs` with the
   * option `cluster`. Set to false by a driver that locks its storage, or keeps items in memory. @default true
   */
  readonly canBeShared?: boolean;
  /**
   * Takes the storage over from its earlier owner, if any. Once this resolves, everything acknowledged to earlier
   * owners is readable.
   *
   * Resolves with null if the service behind the driver doesn't support ownership.
   * @param onReplaced Called when another owner takes over, by drivers that can tell immediately.
   * @param after The new generation must exceed this number too. The store takes over again with it, if the storage
   * names a later owner than the driver does: then the driver's own record of it was lost or restored. Default: 0.
   */
  takeOwnership?(onReplaced: () => void, after?: number): Promise<DriverOwnership | null>;
  /**
   * Set if `setItemRaw` no longer uses its bytes once it has settled, and `getItemRaw` returns bytes that only the
   * caller holds. Otherwise bytes are copied both ways, because unstorage's memory driver keeps references.
   */
  readonly copiesBytes?: true;
  /**
   * Opens an item to append to it. `new` creates it, and rejects with {@link alreadyExists} if the key exists.
   * `end` appends to an existing item. A number keeps that many bytes, cuts the rest off, and appends.
   */
  openItem?(key: string, from: "new" | "end" | number, options?: WriteOptions): Promise<ItemWriter>;
  /** Returns the bytes of a raw item from `start` up to, but not including, `end`, or null if it doesn't exist. */
  getItemRange?(key: string, start: number, end: number): Promise<Uint8Array | null>;
}

/** Error name of a failed exclusive write. A name works across several copies of this package. */
const ALREADY_EXISTS = "AlreadyExists";

/** The error of an exclusive write to an existing key. */
export function alreadyExists(key: string, cause?: unknown): Error {
  const error = new Error(`"${key}" already exists`, cause === undefined ? undefined : { cause });
  error.name = ALREADY_EXISTS;
  return error;
}

export function isAlreadyExists(error: unknown): boolean {
  return error instanceof Error && error.name === ALREADY_EXISTS;
}

/** Error name of a replaced owner. A name works across several copies of this package. */
const FENCED = "Fenced";

/** The error of a call by an owner that has been replaced. */
export function fenced(cause?: unknown): Error {
  const error = new Error("Another process has taken over this storage", cause === undefined ? undefined : { cause });
  error.name = FENCED;
  return error;
}

export function isFenced(error: unknown): boolean {
  return error instanceof Error && error.name === FENCED;
}

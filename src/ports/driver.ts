/**
 * Storage drivers: what Stepwell uses of unstorage's contract, and what a driver may offer beyond it. All extensions are
 * optional: a plain unstorage driver works and ignores the options it does not know.
 */

type MaybePromise<T> = T | Promise<T>;

/**
 * A storage driver. Every driver of unstorage is one.
 *
 * Declared here because unstorage's own declarations import those of every service it has a driver for, and compile only
 * with `skipLibCheck`.
 */
export interface Driver {
  name?: string;
  hasItem(key: string, options: object): MaybePromise<boolean>;
  getItem(key: string, options?: object): MaybePromise<StorageValue>;
  getItems?(items: { key: string }[], options?: object): MaybePromise<{ key: string; value: StorageValue }[]>;
  getItemRaw?(key: string, options: object): MaybePromise<unknown>;
  setItem?(key: string, value: string, options: WriteOptions): MaybePromise<void>;
  setItemRaw?(key: string, value: Uint8Array, options: WriteOptions): MaybePromise<void>;
  removeItem?(key: string, options: WriteOptions): MaybePromise<void>;
  getKeys(base: string, options: object): MaybePromise<string[]>;
  getMeta?(key: string, options: object): MaybePromise<DriverMeta | null>;
  clear?(base: string, options: object): MaybePromise<void>;
  dispose?(): MaybePromise<void>;
}

type DriverMeta = { atime?: Date; mtime?: Date; size?: number };

/** What a driver may give for an item: text, or what it made of text that is JSON. */
export type StorageValue = null | string | number | boolean | object;

/** Given as the third argument of `setItem`, `setItemRaw` and `openItem`, and as the second of `removeItem`. */
export interface WriteOptions {
  /**
   * The owner that writes, from {@link ExtendedDriver.takeOwnership}. Once another owner has taken over, the call rejects
   * with {@link fenced}: a call that resolves took effect before that. The pieces of an item are written by who opened it.
   *
   * A call that rejects may have taken effect all the same, in three ways only: it creates an item where there is none,
   * it adds to an item that this owner had opened, or it replaces or removes an item that the new owner has not written
   * yet. ARCHITECTURE.md#fencing says how the store copes with these.
   */
  readonly generation?: number | undefined;
  /**
   * Create, never replace: when the key is there already, reject with {@link alreadyExists} and change nothing. A crash
   * may leave the value short, as with every plain driver: whoever asks for this checks what it reads.
   */
  readonly exclusive?: boolean;
}

/** An item that is open to be written. */
export interface ItemWriter {
  /**
   * Adds a piece behind the others, which is as safe then as what `setItem` stored. What fails, or is cut off by a crash,
   * may leave a part of it; nothing may be added then. Pieces come one at a time.
   */
  write(piece: string | Uint8Array): void | Promise<void>;
  close(): void | Promise<void>;
}

/** What an owner of the storage has in hand. */
export interface DriverOwnership {
  /** Grows with each takeover; names this owner in {@link WriteOptions}. */
  readonly generation: number;
  /** Rejects with {@link fenced} once another owner has taken over. */
  verify(): void | Promise<void>;
  /** How often the store should call `verify` while nothing is written, for drivers that do not call `onReplaced`. */
  readonly verifyIntervalMs?: number;
}

/** A driver with the extensions; each can be missing. */
export interface ExtendedDriver extends Driver {
  /**
   * Takes the storage over from its earlier owner, if there is one. Everything that an earlier owner's calls had
   * acknowledged is readable once this has resolved.
   *
   * Null when the service behind the driver turns out not to support it.
   * @param onReplaced Called when another owner takes over, by a driver that can tell at once.
   */
  takeOwnership?(onReplaced: () => void): Promise<DriverOwnership | null>;
  /**
   * `setItemRaw` has no use for its bytes once it has settled, and `getItemRaw` gives bytes that are the caller's alone.
   * Left out, bytes are copied on both ways, for unstorage's memory driver keeps references.
   */
  readonly copiesBytes?: true;
  /**
   * Opens an item to be written piece by piece: a new one (rejects with {@link alreadyExists} when the key is there), or
   * one that is there, to go on behind its end, or behind so many bytes of it; the rest is cut off then.
   */
  openItem?(key: string, from: "new" | "end" | number, options?: WriteOptions): Promise<ItemWriter>;
  /** The bytes of a raw item from `start` up to, not including, `end`; null when there is no such item. */
  getItemRange?(key: string, start: number, end: number): Promise<Uint8Array | null>;
}

/** The name that makes the error of an exclusive write known, also across copies of this package. */
const ALREADY_EXISTS = "AlreadyExists";

/** The error of an exclusive write to a key that is there. */
export function alreadyExists(key: string, cause?: unknown): Error {
  const error = new Error(`"${key}" already exists`, cause === undefined ? undefined : { cause });
  error.name = ALREADY_EXISTS;
  return error;
}

export function isAlreadyExists(error: unknown): boolean {
  return error instanceof Error && error.name === ALREADY_EXISTS;
}

/** The name that makes the error of a replaced owner known, also across copies of this package. */
const FENCED = "Fenced";

/** The error of a call of an owner that another one has replaced. */
export function fenced(cause?: unknown): Error {
  const error = new Error("Another process has taken over this storage", cause === undefined ? undefined : { cause });
  error.name = FENCED;
  return error;
}

export function isFenced(error: unknown): boolean {
  return error instanceof Error && error.name === FENCED;
}

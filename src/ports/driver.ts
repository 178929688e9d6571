/**
 * What a driver may offer beyond unstorage's contract.
 *
 * Everything here is optional: a plain unstorage driver is taken as it is and ignores the options it does not know.
 */
import type { Driver } from "unstorage";

/** Given as the third argument of `setItem` and `setItemRaw`. */
export interface WriteOptions {
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

/** A driver with the extensions; each can be missing. */
export interface ExtendedDriver extends Driver {
  /**
   * `setItemRaw` has no use for its bytes once it has settled, and `getItemRaw` gives bytes that are the caller's alone.
   * Left out, bytes are copied on both ways, for unstorage's memory driver keeps references.
   */
  readonly copiesBytes?: true;
  /**
   * Opens an item to be written piece by piece: a new one (rejects with {@link alreadyExists} when the key is there), or
   * one that is there, to go on behind its end, or behind so many bytes of it; the rest is cut off then.
   *
   * Only for a driver that keeps other processes out by itself: who else writes to the item is not noticed.
   */
  openItem?(key: string, from: "new" | "end" | number): Promise<ItemWriter>;
  /** The bytes of a raw item from `start` up to, not including, `end`; null when there is no such item. */
  getItemRange?(key: string, start: number, end: number): Promise<Uint8Array | null>;
}

/** The name that makes the error of an exclusive write known, also across copies of this package. */
const ALREADY_EXISTS = "AlreadyExists";

/** The error of an exclusive write to a key that is there. */
export function alreadyExists(key: string, cause?: unknown): Error {
  const error = new Error(`"${key}" is there already`, cause === undefined ? undefined : { cause });
  error.name = ALREADY_EXISTS;
  return error;
}

export function isAlreadyExists(error: unknown): boolean {
  return error instanceof Error && error.name === ALREADY_EXISTS;
}

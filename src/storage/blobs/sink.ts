/** Stores the pieces of a blob in order: appended to one item if the driver supports it, otherwise in one item each. */
import type { TailSlot } from "../../ports/blobs.ts";
import type { ItemWriter } from "../../ports/driver.ts";
import type { BinaryItems } from "../driver/binary-items.ts";

export interface BlobSink {
  /** Size in bytes of all items except the last. */
  readonly chunkSize: number;
  /** Maximum number of pieces sent concurrently. */
  readonly maxConcurrent: number;
  /** Stores the next piece. Only the last piece of a finished blob may be shorter than the others. */
  send(piece: Uint8Array): Promise<void>;
  /** Stores the incomplete piece of a paused blob. Never overwrites acknowledged bytes. Must be the last call. */
  sendTail(piece: Uint8Array): Promise<void>;
  /** Where the incomplete piece is stored, for `BlobProgress`. */
  readonly tail: TailSlot | undefined;
  close(): Promise<void>;
}

/** Chunk size of a blob that is a single item. */
export const WHOLE = Number.MAX_SAFE_INTEGER;

/** @param size Number of bytes stored already. */
export function createItemSink(items: BinaryItems, key: string, size: number): BlobSink {
  let item: Promise<ItemWriter> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  function send(piece: Uint8Array): Promise<void> {
    const sent = last.then(async () => {
      item ??= items.open(key, size === 0 ? "new" : size);
      await (await item).write(piece);
    });
    last = sent;
    return sent;
  }
  return {
    chunkSize: WHOLE,
    // Appends are sequential. The second piece waits, so that the caller can already fill the next.
    maxConcurrent: 2,
    send,
    sendTail: send,
    tail: undefined,
    async close() {
      await last.catch(() => undefined);
      await (await item?.catch(() => null))?.close();
    },
  };
}

/** Keys of the items of a blob. */
export interface BlobKeys {
  chunk(index: number): string;
  tail(slot: TailSlot): string;
}

/**
 * A driver may tear a write, so an item with acknowledged bytes is never overwritten. The incomplete chunk of a paused
 * blob goes to the tail slot that the last acknowledged pause did not use. A complete chunk goes to its own key.
 * @param stored What is stored already. Everything after it is written again.
 */
export function createChunkSink(
  items: BinaryItems,
  keys: BlobKeys,
  chunkSize: number,
  stored: { readonly size: number; readonly tail?: TailSlot },
): BlobSink {
  let index = Math.floor(stored.size / chunkSize);
  let { tail } = stored;
  const freeSlot = tail === "a" ? "b" : "a";
  return {
    chunkSize,
    maxConcurrent: 3,
    send(piece) {
      tail = undefined;
      return items.write(keys.chunk(index++), piece, { isReplaced: stored.size > 0 });
    },
    sendTail(piece) {
      tail = freeSlot;
      return items.write(keys.tail(freeSlot), piece, { isReplaced: true });
    },
    get tail() {
      return tail;
    },
    close: async () => undefined,
  };
}

/**
 * Stores the blocks of a blob. If the driver supports growing items, appends them in order to one item. Otherwise, stores up
 * to three at once, each in an item with a numbered key.
 */
import type { TailItem } from "../../ports/blobs.ts";
import type { ItemWriter } from "../../ports/driver.ts";
import type { BinaryItems } from "../driver/binary-items.ts";

export interface BlobSink {
  /** Size in bytes of all items except the last. */
  readonly blockSize: number;
  /** Maximum number of blocks sent concurrently. */
  readonly maxConcurrent: number;
  /** Stores the next block. Only the last block of a finished blob may be shorter than the others. */
  send(block: Uint8Array): Promise<void>;
  /**
   * Stores the incomplete block of a paused blob, which is sent again when it is complete. Never overwrites acknowledged bytes.
   * Must be the last call. Null if incomplete blocks are sent like the others.
   */
  readonly sendTail: ((block: Uint8Array) => Promise<void>) | null;
  /** Where the incomplete block is stored, for `BlobProgress`. */
  readonly tail: TailItem | undefined;
  close(): Promise<void>;
}

/** Block size of a blob that is a single item. */
export const WHOLE = Number.MAX_SAFE_INTEGER;

/** @param size Number of bytes stored already. */
export function createItemSink(items: BinaryItems, key: string, size: number): BlobSink {
  let item: Promise<ItemWriter> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  function send(block: Uint8Array): Promise<void> {
    const sent = last.then(async () => {
      item ??= items.open(key, size === 0 ? "new" : size);
      await (await item).write(block);
    });
    last = sent;
    return sent;
  }
  return {
    blockSize: WHOLE,
    // Appends are sequential. The second block waits, so that the caller can already fill the next.
    maxConcurrent: 2,
    send,
    sendTail: null,
    tail: undefined,
    async close() {
      await last.catch(() => undefined);
      await (await item?.catch(() => null))?.close();
    },
  };
}

/** Keys of the items of a blob. */
export interface BlobKeys {
  block(index: number): string;
  tail(item: TailItem): string;
}

/**
 * A driver may tear a write, so an item with acknowledged bytes is never overwritten. The incomplete block of a paused
 * blob goes to the tail item that the last acknowledged pause did not use. A complete block goes to its own key.
 * @param stored What is stored already. Everything after it is written again.
 */
export function createBlockSink(
  items: BinaryItems,
  keys: BlobKeys,
  blockSize: number,
  stored: { readonly size: number; readonly tail?: TailItem },
): BlobSink {
  let index = Math.floor(stored.size / blockSize);
  let { tail } = stored;
  const nextTail = tail === "a" ? "b" : "a";
  return {
    blockSize,
    maxConcurrent: 3,
    send(block) {
      tail = undefined;
      return items.write(keys.block(index++), block, { mayExist: stored.size > 0 });
    },
    sendTail(block) {
      tail = nextTail;
      return items.write(keys.tail(nextTail), block, { mayExist: true });
    },
    get tail() {
      return tail;
    },
    close: async () => undefined,
  };
}

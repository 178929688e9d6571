/** Where the pieces of a blob go, in order: one item that grows, on drivers that have such; else an item for each. */
import type { ItemWriter } from "../../ports/driver.ts";
import type { BinaryItems } from "../driver/binary-items.ts";

export interface BlobSink {
  /** Bytes of an item, of all but the last. */
  readonly chunkSize: number;
  /** Pieces that may be on their way at the same time. */
  readonly maxConcurrent: number;
  /** Stores the next piece; only the last before `close` may be shorter than the others. */
  send(piece: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** A blob that is one item. */
export const WHOLE = Number.MAX_SAFE_INTEGER;

/** @param size Bytes that are stored already. */
export function createItemSink(items: BinaryItems, key: string, size: number): BlobSink {
  let item: Promise<ItemWriter> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  return {
    chunkSize: WHOLE,
    // One after the other; the second waits, filled, so that nobody waits for bytes that are at hand.
    maxConcurrent: 2,
    send(piece) {
      const sent = last.then(async () => {
        item ??= items.open(key, size === 0 ? "new" : size);
        await (await item).write(piece);
      });
      last = sent;
      return sent;
    },
    async close() {
      await last.catch(() => undefined);
      await (await item?.catch(() => null))?.close();
    },
  };
}

/** @param size Bytes that are stored already. A piece that was not full is stored again, and so is what came behind it. */
export function createChunkSink(
  items: BinaryItems,
  keyOf: (index: number) => string,
  chunkSize: number,
  size: number,
): BlobSink {
  let index = Math.floor(size / chunkSize);
  return {
    chunkSize,
    maxConcurrent: 3,
    send: (piece) => items.write(keyOf(index++), piece, { isReplaced: size > 0 }),
    close: async () => undefined,
  };
}

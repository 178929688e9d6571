/** Stores the pieces of a blob in order: appended to one item if the driver supports it, otherwise in one item each. */
import type { ItemWriter } from "../../ports/driver.ts";
import type { BinaryItems } from "../driver/binary-items.ts";

export interface BlobSink {
  /** Size in bytes of all items except the last. */
  readonly chunkSize: number;
  /** Maximum number of pieces sent concurrently. */
  readonly maxConcurrent: number;
  /** Stores the next piece. Only the last piece before `close` may be shorter than the others. */
  send(piece: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** Chunk size of a blob that is a single item. */
export const WHOLE = Number.MAX_SAFE_INTEGER;

/** @param size Number of bytes stored already. */
export function createItemSink(items: BinaryItems, key: string, size: number): BlobSink {
  let item: Promise<ItemWriter> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  return {
    chunkSize: WHOLE,
    // Appends are sequential. The second piece waits, so that the caller can already fill the next.
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

/** @param size Number of bytes stored already. An incomplete chunk and everything after it are written again. */
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

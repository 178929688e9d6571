/**
 * Hashes and stores the blocks of a blob. If the driver supports growing items, appends them in order to one item. Otherwise,
 * stores up to three at once, each in an item with a numbered key. The hash comes first, because it may take the block to
 * another thread. If that thread can write to the item, the block stays there: passing it on costs half as much as the hash.
 */
import type { TailItem } from "../../ports/blobs.ts";
import type { ItemWriter } from "../../ports/driver.ts";
import type { Block } from "../../ports/hash.ts";
import type { BinaryItems } from "../driver/binary-items.ts";
import type { BlobDigest } from "./digest.ts";

type BlockDigest = Pick<BlobDigest, "add" | "writesFiles">;

export interface BlobSink {
  /** Size in bytes of all items except the last. */
  readonly blockSize: number;
  /** Maximum number of blocks sent concurrently. */
  readonly maxConcurrent: number;
  /**
   * Adds the next block to the digest and stores it. Only the last block of a finished blob may be shorter than the others.
   * Returns the same bytes, perhaps in another buffer of the same size.
   */
  send(block: Block, digest: BlockDigest): Promise<Block>;
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
  let item: ItemWriter | undefined;
  let appended: Promise<unknown> = Promise.resolve();

  async function append(block: Block, digest: BlockDigest, before: Promise<unknown>): Promise<Block> {
    const hashed = await digest.add(block);
    await before;
    item ??= await items.open(key, size === 0 ? "new" : size);
    await item.write(hashed);
    return hashed;
  }

  return {
    blockSize: WHOLE,
    // Appends are sequential. The second block waits, so that the caller can already fill the next.
    maxConcurrent: 2,
    async send(block, digest) {
      if (item?.lend !== undefined && digest.writesFiles) {
        await appended;
        return item.lend(block.length, async (file) => digest.add(block, file));
      }
      const sent = append(block, digest, appended);
      appended = sent;
      return sent;
    },
    sendTail: null,
    tail: undefined,
    close: async () => item?.close(),
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
    async send(block, digest) {
      tail = undefined;
      const key = keys.block(index++);
      const hashed = await digest.add(block);
      await items.write(key, hashed, { mayExist: stored.size > 0 });
      return hashed;
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

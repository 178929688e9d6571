/** Tracks the size, first bytes and hash of the blocks of a blob. */
import { HEAD_BYTES } from "../../ports/blobs.ts";
import type { LentFile } from "../../ports/driver.ts";
import type { Block, BlockHash } from "../../ports/hash.ts";

export interface BlobDigest extends Pick<BlockHash, "add" | "writesFiles" | "discard" | "isLost"> {
  /** Number of bytes added. */
  readonly size: number;
  /** The first bytes added, up to {@link HEAD_BYTES}. */
  head(): Uint8Array;
  /** Hexadecimal. Must be the last call. */
  sha256(): string | Promise<string>;
}

export function createBlobDigest(hash: BlockHash): BlobDigest {
  const head = new Uint8Array(HEAD_BYTES);
  let size = 0;
  return {
    get size() {
      return size;
    },
    get isLost() {
      return hash.isLost;
    },
    get writesFiles() {
      return hash.writesFiles;
    },
    add(block: Block, file?: LentFile) {
      if (size < HEAD_BYTES) head.set(block.subarray(0, HEAD_BYTES - size), size);
      size += block.length;
      return hash.add(block, file);
    },
    head: () => head.slice(0, Math.min(size, HEAD_BYTES)),
    sha256: () => hash.digest(),
    discard: () => hash.discard(),
  };
}

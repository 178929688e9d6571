/** Tracks a blob's size, first bytes and hash while it is written. */
import { HEAD_BYTES } from "../../ports/blobs.ts";
import type { HashStream } from "../../ports/hash.ts";

export interface BlobDigest {
  readonly size: number;
  update(bytes: Uint8Array): void;
  head(): Uint8Array;
  /** Hexadecimal. Must be the last call. */
  sha256(): string;
}

export function createBlobDigest(hash: HashStream): BlobDigest {
  const head = new Uint8Array(HEAD_BYTES);
  let size = 0;
  return {
    get size() {
      return size;
    },
    update(bytes) {
      hash.update(bytes);
      if (size < HEAD_BYTES) head.set(bytes.subarray(0, HEAD_BYTES - size), size);
      size += bytes.length;
    },
    head: () => head.slice(0, Math.min(size, HEAD_BYTES)),
    sha256: () => hash.digest(),
  };
}

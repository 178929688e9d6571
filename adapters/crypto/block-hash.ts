/**
 * SHA-256 of blocks: on a thread from the first large block on, because hashing takes most of the time of an upload. Small
 * files are hashed here, without the cost of a thread.
 */
import { MEBIBYTE } from "../../src/encoding/bytes.ts";
import type { BlockHash } from "../../src/ports/hash.ts";
import type { HashThread } from "./hash-thread.ts";
import { createLocalHash } from "./local-hash.ts";

/** Smallest first block that goes to the thread. */
const MIN_THREAD_BYTES = MEBIBYTE;

export function createBlockHash(thread: HashThread): BlockHash {
  let hash: BlockHash | null = null;
  return {
    add(block, file) {
      hash ??= block.length >= MIN_THREAD_BYTES ? thread.open() : createLocalHash();
      return hash.add(block, file);
    },
    get writesFiles() {
      return hash?.writesFiles ?? false;
    },
    digest: () => (hash ?? createLocalHash()).digest(),
    discard: () => hash?.discard(),
    get isLost() {
      return hash?.isLost ?? false;
    },
  };
}

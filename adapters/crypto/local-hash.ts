/** SHA-256 of blocks on the calling thread. */
import { createHash } from "node:crypto";
import type { Block, BlockHash } from "../../src/ports/hash.ts";

export interface LocalHash extends BlockHash {
  add(block: Block): Block;
  digest(): string;
}

export function createLocalHash(): LocalHash {
  const hash = createHash("sha256");
  return {
    add(block) {
      hash.update(block);
      return block;
    },
    digest: () => hash.digest("hex"),
    writesFiles: false,
    discard: () => undefined,
    isLost: false,
  };
}

/** SHA-256 by node:crypto, which Node, Bun and Deno have. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { Hash } from "../../src/ports/hash.ts";

const sha256 = (text: string) => createHash("sha256").update(text);

export const nodeHash: Hash = {
  sha256: (text) => sha256(text).digest("hex"),
  stream() {
    const hash = createHash("sha256");
    return {
      update: (bytes) => {
        hash.update(bytes);
      },
      digest: () => hash.digest("hex"),
    };
  },
  // Of the digests: texts of different lengths cannot be compared in constant time themselves.
  equal: (one, other) => timingSafeEqual(sha256(one).digest(), sha256(other).digest()),
};

/** Digests by node:crypto, which Node, Bun and Deno have. */
import { createHash, createHmac, hash, timingSafeEqual } from "node:crypto";
import type { Hash } from "../../src/ports/hash.ts";

export const nodeHash: Hash = {
  // In one call: a key is checked on every request, and this is a quarter of the cost of a Hash object.
  sha256: (text) => hash("sha256", text),
  hmac: (key, text) => createHmac("sha256", key).update(text).digest("hex"),
  stream(algorithm = "sha256") {
    const digest = createHash(algorithm);
    return {
      update: (bytes) => {
        digest.update(bytes);
      },
      digest: () => digest.digest("hex"),
    };
  },
  equal(one, other) {
    const [left, right] = [Buffer.from(one), Buffer.from(other)];
    return left.length === right.length && timingSafeEqual(left, right);
  },
};

/** Hashes with node:crypto, which Node.js, Bun and Deno support. */
import { createHash, createHmac, hash, timingSafeEqual } from "node:crypto";
import type { Hash } from "../../src/ports/hash.ts";
import { createBlockHash } from "./block-hash.ts";
import { createHashThread } from "./hash-thread.ts";

/** Shared by all services of the process. */
const thread = createHashThread(async (events) => {
  const { startHashWorker } = await import("./worker/worker-program.ts");
  return startHashWorker(events);
});

export const nodeHash: Hash = {
  // One-shot, because it takes a quarter of the time of a Hash object and runs on every request that has a key.
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
  blocks: () => createBlockHash(thread),
  equal(one, other) {
    const [left, right] = [Buffer.from(one), Buffer.from(other)];
    return left.length === right.length && timingSafeEqual(left, right);
  },
};

/**
 * Takes the place of `worker-program.ts` in Cloudflare Workers, which have no threads, and in Deno and Bun, where passing blocks
 * to a thread costs more than hashing them (conditions `workerd`, `deno` and `bun`).
 */
import type { StartHashWorker } from "../hash-thread.ts";

export const startHashWorker: StartHashWorker = () =>
  Promise.reject(new Error("Hashes have no thread in this runtime."));

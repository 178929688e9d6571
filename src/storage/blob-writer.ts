/** Writes a blob as its bytes come: copied once into chunks, a few of which are under way to the driver. */
import { StepwellError } from "../errors.ts";
import type { Blob, BlobWriter } from "../ports/blobs.ts";
import type { HashStream } from "../ports/hash.ts";
import { parallel } from "./parallel.ts";
import type { Raw } from "./raw.ts";

/** Chunks on their way to the driver at the same time. */
export const MAX_UNDER_WAY = 2;
/** Enough to tell the type of a file by its content. */
const HEAD_SIZE = 4_100;
/** The first chunk starts with room for this much: most files are small. */
const FIRST_SIZE = 65_536;

export function createBlobWriter(parts: {
  raw: Raw;
  id: string;
  limit: number;
  chunkSize: number;
  hash: HashStream;
  keyOf: (index: number) => string;
}): BlobWriter {
  const { raw, id, limit, chunkSize, hash, keyOf } = parts;
  const head = new Uint8Array(HEAD_SIZE);
  const underWay = new Set<Promise<void>>();
  /** Chunks that the driver is done with, to be filled again. */
  const spare: Uint8Array[] = [];
  let chunk: Uint8Array = new Uint8Array(0);
  let filled = 0;
  let chunks = 0;
  let size = 0;
  let failure: unknown = null;
  let state: "open" | "finished" | "aborted" = "open";

  function makeRoom(wanted: number): void {
    if (chunk.length - filled >= wanted || chunk.length === chunkSize) return;
    const first = Math.min(chunkSize, FIRST_SIZE);
    const larger =
      chunks === 0 && filled + wanted <= first ? new Uint8Array(first) : (spare.pop() ?? new Uint8Array(chunkSize));
    larger.set(chunk.subarray(0, filled));
    chunk = larger;
  }

  /** Takes bytes up to the end of the chunk; gives how many. */
  function take(bytes: Uint8Array): number {
    makeRoom(bytes.length);
    const part = bytes.subarray(0, chunk.length - filled);
    chunk.set(part, filled);
    hash.update(part);
    if (size < HEAD_SIZE) head.set(part.subarray(0, HEAD_SIZE - size), size);
    filled += part.length;
    size += part.length;
    return part.length;
  }

  /** Sends the chunk off. */
  function send(): void {
    const full = chunk;
    const written = raw.write(keyOf(chunks++), full.subarray(0, filled)).then(
      () => {
        if (raw.copiesBytes && full.length === chunkSize) spare.push(full);
      },
      (error) => {
        failure ??= error;
      },
    );
    const tracked = written.then(() => {
      underWay.delete(tracked);
    });
    underWay.add(tracked);
    chunk = new Uint8Array(0);
    filled = 0;
  }

  function checkOpen(): void {
    if (failure !== null) throw failure;
    if (state !== "open") throw new StepwellError("internal", `The blob "${id}" is ${state}: it takes no more bytes.`);
  }

  async function writeFrom(bytes: Uint8Array, start: number): Promise<void> {
    for (let at = start; ; ) {
      while (underWay.size > MAX_UNDER_WAY) await Promise.race(underWay);
      checkOpen();
      if (at === bytes.length) return;
      at += take(bytes.subarray(at));
      if (filled === chunkSize) send();
    }
  }

  return {
    write(bytes) {
      checkOpen();
      if (size + bytes.length > limit) {
        failure = new StepwellError("too_large", `The content is larger than the ${limit} bytes that are allowed.`);
        throw failure;
      }
      const taken = bytes.length === 0 ? 0 : take(bytes);
      if (filled === chunkSize) send();
      return taken === bytes.length && underWay.size <= MAX_UNDER_WAY ? undefined : writeFrom(bytes, taken);
    },

    head: () => head.slice(0, Math.min(size, HEAD_SIZE)),

    get size() {
      return size;
    },

    async finish() {
      checkOpen();
      state = "finished";
      if (filled > 0) send();
      await Promise.all(underWay);
      if (failure !== null) throw failure;
      return { id, size, chunk_size: chunkSize, sha256: hash.digest() } satisfies Blob;
    },

    async abort() {
      state = "aborted";
      await Promise.all(underWay);
      const indexes = Array.from({ length: chunks }, (_, index) => index);
      chunks = 0;
      // What cannot be removed now is swept later by whoever remembers the id.
      await parallel(indexes, (index) => raw.remove(keyOf(index)).catch(() => undefined));
    },
  };
}

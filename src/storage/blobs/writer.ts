/** Writes a blob as its bytes arrive. Bytes are copied once into blocks; a few blocks are hashed and sent concurrently. */
import { concatBytes } from "../../encoding/bytes.ts";
import { StepwellError } from "../../errors.ts";
import { omitUndefined } from "../../json.ts";
import { type Blob, type BlobWriter, HEAD_BYTES } from "../../ports/blobs.ts";
import type { Block } from "../../ports/hash.ts";
import type { BlobDigest } from "./digest.ts";
import type { BlobSink } from "./sink.ts";

/** Initial buffer size of the first block, because most files are small. */
const INITIAL_BUFFER_BYTES = 65_536;

export function createBlobWriter(parts: {
  id: string;
  limit: number;
  blockSize: number;
  sink: BlobSink;
  /** Digest of the complete blocks stored already, or of all bytes if the blob is a single item. */
  digest: BlobDigest;
  /** Stored bytes of an incomplete block. */
  tail: Uint8Array;
  /** Whether buffers can be reused after they were sent. */
  canReuseBuffers: boolean;
  /** Keeps the digest of a paused blob. */
  onPause(digest: BlobDigest): void;
  /** Deletes everything that was stored. Never rejects. */
  discard(): Promise<void>;
}): BlobWriter {
  const { id, limit, blockSize, sink, digest, canReuseBuffers } = parts;
  const inFlight = new Set<Promise<void>>();
  /** Buffers that the driver has finished with, for reuse. */
  const spareBuffers: Block[] = [];
  let block: Block = new Uint8Array(parts.tail);
  let filled = block.length;
  /** Number of bytes of the blob. */
  let size = digest.size + filled;
  /** Number of bytes of the block that are stored in a tail item. */
  let storedTailBytes = filled;
  let isFirst = true;
  let failure: unknown = null;
  let state: "open" | "finished" | "paused" | "aborted" = "open";

  function ensureCapacity(needed: number): void {
    if (block.length - filled >= needed || block.length === blockSize) return;
    const small = Math.min(blockSize, INITIAL_BUFFER_BYTES);
    const larger =
      isFirst && filled + needed <= small ? new Uint8Array(small) : (spareBuffers.pop() ?? new Uint8Array(blockSize));
    larger.set(block.subarray(0, filled));
    block = larger;
  }

  /** Copies bytes up to the end of the block and returns how many. */
  function fill(bytes: Uint8Array): number {
    ensureCapacity(bytes.length);
    const copied = bytes.subarray(0, block.length - filled);
    block.set(copied, filled);
    filled += copied.length;
    size += copied.length;
    return copied.length;
  }

  async function hashAndStore(full: Block, length: number): Promise<void> {
    const stored = await sink.send(full.subarray(0, length), digest);
    if (canReuseBuffers && stored.buffer.byteLength === blockSize) spareBuffers.push(new Uint8Array(stored.buffer));
  }

  function send(store: (full: Block, length: number) => Promise<void> = hashAndStore): void {
    const sent = store(block, filled).catch((error: unknown) => {
      failure ??= error;
    });
    const tracked = sent.then(() => {
      inFlight.delete(tracked);
    });
    inFlight.add(tracked);
    block = new Uint8Array(0);
    filled = 0;
    storedTailBytes = 0;
    isFirst = false;
  }

  /** Stores what a paused blob has of its last block. */
  function sendTail(): void {
    const { sendTail } = sink;
    if (sendTail === null) send();
    else send((full, length) => sendTail(full.subarray(0, length)));
  }

  function checkOpen(): void {
    if (failure !== null) throw failure;
    if (state !== "open")
      throw new StepwellError("internal", `The blob "${id}" is ${state} and accepts no more bytes.`);
  }

  async function writeFrom(bytes: Uint8Array, start: number): Promise<void> {
    for (let at = start; ; ) {
      while (inFlight.size >= sink.maxConcurrent) await Promise.race(inFlight);
      checkOpen();
      if (at === bytes.length) return;
      at += fill(bytes.subarray(at));
      if (filled === blockSize) send();
    }
  }

  /** Stores the remaining bytes and closes the sink. */
  async function end(as: "finished" | "paused"): Promise<void> {
    if (state !== "open") checkOpen();
    state = as;
    // Wait even after a failure: a resumed writer writes to the same items.
    if (failure === null && as === "finished" && filled > 0) send();
    await Promise.all(inFlight);
    // After the blocks before it: the sink takes a block that is sent later for a sign that there is no tail.
    if (failure === null && as === "paused" && filled > storedTailBytes) sendTail();
    await Promise.all(inFlight);
    await sink.close().catch((error: unknown) => {
      failure ??= error;
    });
    if (failure === null) return;
    digest.discard();
    throw failure;
  }

  return {
    write(bytes) {
      checkOpen();
      if (size + bytes.length > limit) {
        failure = new StepwellError("too_large", `The content exceeds the limit of ${limit} bytes.`);
        throw failure;
      }
      const copied = bytes.length === 0 ? 0 : fill(bytes);
      if (filled === blockSize) send();
      return copied === bytes.length && inFlight.size < sink.maxConcurrent ? undefined : writeFrom(bytes, copied);
    },

    head() {
      const sent = digest.head();
      return concatBytes([sent, block.subarray(0, Math.min(filled, HEAD_BYTES - sent.length))]);
    },

    get size() {
      return size;
    },

    async finish() {
      await end("finished");
      return { id, size, block_size: sink.blockSize, sha256: await digest.sha256() } satisfies Blob;
    },

    async pause() {
      await end("paused");
      parts.onPause(digest);
      return omitUndefined({ id, size, block_size: sink.blockSize, tail: sink.tail });
    },

    async abort() {
      state = "aborted";
      await Promise.all(inFlight);
      digest.discard();
      await sink.close().catch(() => undefined);
      await parts.discard();
    },
  };
}

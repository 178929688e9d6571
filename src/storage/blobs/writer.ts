/** Writes a blob as its bytes arrive. Bytes are copied once into pieces; a few pieces are sent concurrently. */
import { StepwellError } from "../../errors.ts";
import { omitUndefined } from "../../json.ts";
import type { Blob, BlobWriter } from "../../ports/blobs.ts";
import type { BlobDigest } from "./digest.ts";
import type { BlobSink } from "./sink.ts";

/** Initial buffer size of the first piece, because most files are small. */
const FIRST_PIECE_BYTES = 65_536;

export function createBlobWriter(parts: {
  id: string;
  limit: number;
  pieceSize: number;
  sink: BlobSink;
  /** Digest of the bytes stored already. */
  digest: BlobDigest;
  /** Stored bytes of an incomplete piece. */
  tail: Uint8Array;
  /** Whether buffers can be reused after they were sent. */
  isReusable: boolean;
  /** Keeps the digest of a paused blob. */
  paused(digest: BlobDigest): void;
  /** Deletes everything that was stored. Never rejects. */
  discard(): Promise<void>;
}): BlobWriter {
  const { id, limit, pieceSize, sink, digest, isReusable } = parts;
  const inFlight = new Set<Promise<void>>();
  /** Buffers that the driver has finished with, for reuse. */
  const spare: Uint8Array[] = [];
  let piece: Uint8Array = parts.tail.slice();
  let filled = piece.length;
  /** Number of bytes of the piece that are stored in a tail slot. */
  let storedOfPiece = filled;
  let isFirst = true;
  let failure: unknown = null;
  let state: "open" | "finished" | "paused" | "aborted" = "open";

  function makeRoom(needed: number): void {
    if (piece.length - filled >= needed || piece.length === pieceSize) return;
    const small = Math.min(pieceSize, FIRST_PIECE_BYTES);
    const larger =
      isFirst && filled + needed <= small ? new Uint8Array(small) : (spare.pop() ?? new Uint8Array(pieceSize));
    larger.set(piece.subarray(0, filled));
    piece = larger;
  }

  /** Copies bytes up to the end of the piece and returns how many. */
  function take(bytes: Uint8Array): number {
    makeRoom(bytes.length);
    const part = bytes.subarray(0, piece.length - filled);
    piece.set(part, filled);
    digest.update(part);
    filled += part.length;
    return part.length;
  }

  function send(store: (piece: Uint8Array) => Promise<void> = sink.send): void {
    const full = piece;
    const sent = store(full.subarray(0, filled)).then(
      () => {
        if (isReusable && full.length === pieceSize) spare.push(full);
      },
      (error) => {
        failure ??= error;
      },
    );
    const tracked = sent.then(() => {
      inFlight.delete(tracked);
    });
    inFlight.add(tracked);
    piece = new Uint8Array(0);
    filled = 0;
    storedOfPiece = 0;
    isFirst = false;
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
      at += take(bytes.subarray(at));
      if (filled === pieceSize) send();
    }
  }

  /** Stores the remaining bytes and closes the sink. */
  async function end(as: "finished" | "paused"): Promise<void> {
    if (state !== "open") checkOpen();
    state = as;
    // Wait even after a failure: a resumed writer writes to the same items.
    if (failure === null && as === "finished" && filled > 0) send();
    if (failure === null && as === "paused" && filled > storedOfPiece) send(sink.sendTail);
    await Promise.all(inFlight);
    await sink.close().catch((error: unknown) => {
      failure ??= error;
    });
    if (failure !== null) throw failure;
  }

  return {
    write(bytes) {
      checkOpen();
      if (digest.size + bytes.length > limit) {
        failure = new StepwellError("too_large", `The content exceeds the limit of ${limit} bytes.`);
        throw failure;
      }
      const taken = bytes.length === 0 ? 0 : take(bytes);
      if (filled === pieceSize) send();
      return taken === bytes.length && inFlight.size < sink.maxConcurrent ? undefined : writeFrom(bytes, taken);
    },

    head: digest.head,

    get size() {
      return digest.size;
    },

    async finish() {
      await end("finished");
      return { id, size: digest.size, chunk_size: sink.chunkSize, sha256: digest.sha256() } satisfies Blob;
    },

    async pause() {
      await end("paused");
      parts.paused(digest);
      return omitUndefined({ id, size: digest.size, chunk_size: sink.chunkSize, tail: sink.tail });
    },

    async abort() {
      state = "aborted";
      await Promise.all(inFlight);
      await sink.close().catch(() => undefined);
      await parts.discard();
    },
  };
}

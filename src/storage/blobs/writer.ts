/** Writes a blob as its bytes come: copied once into pieces, a few of which are under way to the driver. */
import { StepwellError } from "../../errors.ts";
import type { Blob, BlobWriter } from "../../ports/blobs.ts";
import type { BlobDigest } from "./digest.ts";
import type { BlobSink } from "./sink.ts";

/** The first piece starts with room for this much: most files are small. */
const FIRST_PIECE_BYTES = 65_536;

export function createBlobWriter(parts: {
  id: string;
  limit: number;
  pieceSize: number;
  sink: BlobSink;
  /** Of what is stored already. */
  digest: BlobDigest;
  /** What is stored already of a piece that is not full. */
  tail: Uint8Array;
  /** Whether pieces can be used again once they were sent. */
  isReusable: boolean;
  /** Keeps a blob that is to go on later. */
  paused(digest: BlobDigest): void;
  /** Removes everything that was stored. Never rejects. */
  discard(): Promise<void>;
}): BlobWriter {
  const { id, limit, pieceSize, sink, digest, isReusable } = parts;
  const underWay = new Set<Promise<void>>();
  /** Pieces that the driver is done with, to be filled again. */
  const spare: Uint8Array[] = [];
  let piece: Uint8Array = parts.tail.slice();
  let filled = piece.length;
  /** Bytes of the piece that are stored already. */
  let storedOfPiece = filled;
  let isFirst = true;
  let failure: unknown = null;
  let state: "open" | "finished" | "paused" | "aborted" = "open";

  function makeRoom(wanted: number): void {
    if (piece.length - filled >= wanted || piece.length === pieceSize) return;
    const small = Math.min(pieceSize, FIRST_PIECE_BYTES);
    const larger =
      isFirst && filled + wanted <= small ? new Uint8Array(small) : (spare.pop() ?? new Uint8Array(pieceSize));
    larger.set(piece.subarray(0, filled));
    piece = larger;
  }

  /** Takes bytes up to the end of the piece; gives how many. */
  function take(bytes: Uint8Array): number {
    makeRoom(bytes.length);
    const part = bytes.subarray(0, piece.length - filled);
    piece.set(part, filled);
    digest.update(part);
    filled += part.length;
    return part.length;
  }

  function send(): void {
    const full = piece;
    const sent = sink.send(full.subarray(0, filled)).then(
      () => {
        if (isReusable && full.length === pieceSize) spare.push(full);
      },
      (error) => {
        failure ??= error;
      },
    );
    const tracked = sent.then(() => {
      underWay.delete(tracked);
    });
    underWay.add(tracked);
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
      while (underWay.size >= sink.maxConcurrent) await Promise.race(underWay);
      checkOpen();
      if (at === bytes.length) return;
      at += take(bytes.subarray(at));
      if (filled === pieceSize) send();
    }
  }

  /** Stores what was taken and nothing more. */
  async function end(as: "finished" | "paused"): Promise<void> {
    if (state !== "open") checkOpen();
    state = as;
    // Also after a failure nothing may be on its way any more: who goes on with the blob writes to the same place.
    if (failure === null && filled > storedOfPiece) send();
    await Promise.all(underWay);
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
      return taken === bytes.length && underWay.size < sink.maxConcurrent ? undefined : writeFrom(bytes, taken);
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
      return { id, size: digest.size, chunk_size: sink.chunkSize };
    },

    async abort() {
      state = "aborted";
      await Promise.all(underWay);
      await sink.close().catch(() => undefined);
      await parts.discard();
    },
  };
}

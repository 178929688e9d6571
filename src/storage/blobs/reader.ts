/**
 * Reads a range of a blob as it is asked for, one piece ahead. A blob that is read whole is held against its digest: the
 * last piece comes only if all of them are what was stored.
 */
import { StepwellError } from "../../errors.ts";
import type { BlobProgress } from "../../ports/blobs.ts";
import type { HashStream } from "../../ports/hash.ts";
import type { BinaryItems } from "../driver/binary-items.ts";

export function readBlob(parts: {
  items: BinaryItems;
  blob: BlobProgress;
  start: number;
  end: number;
  /** Bytes that are read at once at the most. */
  pieceSize: number;
  keyOf: (index: number) => string;
  /** What the bytes must come to; null where they are not the whole blob. */
  expected: { readonly sha256: string; readonly stream: HashStream } | null;
  onDamage: (error: StepwellError) => void;
}): ReadableStream<Uint8Array> {
  const { items, blob, start, end, keyOf, expected } = parts;
  const chunkSize = blob.chunk_size;
  const pieceSize = Math.min(parts.pieceSize, chunkSize);
  const last = start === end ? -1 : Math.ceil(end / pieceSize) - 1;
  let index = Math.floor(start / pieceSize);
  let ahead: Promise<Uint8Array> | null = null;

  async function readPiece(index: number): Promise<Uint8Array> {
    const chunk = Math.floor((index * pieceSize) / chunkSize);
    const offset = chunk * chunkSize;
    const from = Math.max(start, index * pieceSize) - offset;
    const to = Math.min(end, (index + 1) * pieceSize, offset + chunkSize) - offset;
    const key = keyOf(chunk);
    const bytes = await items.read(key, { start: from, end: to, size: Math.min(chunkSize, blob.size - offset) });
    if (bytes?.length === to - from) return bytes;
    const what = bytes === null ? "is missing" : "has the wrong size";
    throw damage(`The storage has lost bytes of "${blob.id}": the piece "${key}" ${what}.`);
  }

  function damage(message: string): StepwellError {
    const error = new StepwellError("unavailable", message);
    parts.onDamage(error);
    return error;
  }

  function readAhead(): void {
    ahead = index <= last ? readPiece(index++) : null;
    // Its failure shows when it is this piece's turn, or never when nobody reads on.
    ahead?.catch(() => undefined);
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (ahead === null) readAhead();
        const next = ahead;
        if (next === null) {
          controller.close();
          return;
        }
        const bytes = await next;
        expected?.stream.update(bytes);
        readAhead();
        if (ahead === null && expected !== null && expected.stream.digest() !== expected.sha256) {
          throw damage(`The bytes of "${blob.id}" in the storage are damaged: their SHA-256 does not match the file.`);
        }
        controller.enqueue(bytes);
        if (ahead === null) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

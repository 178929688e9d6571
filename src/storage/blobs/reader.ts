/**
 * Streams a range of a blob, reading one piece ahead. If the whole blob is read, its digest is verified before the last
 * piece is delivered.
 */
import { StepwellError } from "../../errors.ts";
import { type BlobProgress, LostBytesError } from "../../ports/blobs.ts";
import type { HashStream } from "../../ports/hash.ts";
import type { BinaryItems } from "../driver/binary-items.ts";

export function readBlob(parts: {
  items: BinaryItems;
  blob: BlobProgress;
  start: number;
  end: number;
  /** Maximum number of bytes read at once. */
  pieceSize: number;
  keyOf: (index: number) => string;
  /** The digest to verify, or null if only a part of the blob is read. */
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
    const message = `The storage has lost bytes of "${blob.id}": the piece "${key}" ${what}.`;
    throw damage(new LostBytesError(message));
  }

  function damage(error: StepwellError): StepwellError {
    parts.onDamage(error);
    return error;
  }

  function readAhead(): void {
    ahead = index <= last ? readPiece(index++) : null;
    // An error surfaces when the stream reaches this piece, or never if the reader stops before.
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
          const message = `The bytes of "${blob.id}" in the storage are damaged: their SHA-256 does not match the file.`;
          throw damage(new StepwellError("unavailable", message));
        }
        controller.enqueue(bytes);
        if (ahead === null) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

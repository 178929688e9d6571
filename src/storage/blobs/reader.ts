/**
 * Streams a range of a blob with one read ahead of the consumer. If the whole blob is read, its digest is verified before
 * the last bytes are delivered.
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
  maxReadBytes: number;
  keyOf: (index: number) => string;
  /** The digest to verify, or null if only a part of the blob is read. */
  expected: { readonly sha256: string; readonly stream: HashStream } | null;
  /** Whether the blob has been deleted, perhaps while it is read. */
  isDeleted: () => boolean;
  onDamage: (error: StepwellError) => void;
}): ReadableStream<Uint8Array> {
  const { items, blob, start, end, keyOf, expected } = parts;
  const blockSize = blob.block_size;
  const readSize = Math.min(parts.maxReadBytes, blockSize);
  const last = start === end ? -1 : Math.ceil(end / readSize) - 1;
  let index = Math.floor(start / readSize);
  let ahead: Promise<Uint8Array> | null = null;

  async function readAt(index: number): Promise<Uint8Array> {
    const block = Math.floor((index * readSize) / blockSize);
    const offset = block * blockSize;
    const from = Math.max(start, index * readSize) - offset;
    const to = Math.min(end, (index + 1) * readSize, offset + blockSize) - offset;
    const key = keyOf(block);
    const bytes = await items.read(key, { start: from, end: to, size: Math.min(blockSize, blob.size - offset) });
    if (bytes?.length === to - from) return bytes;
    if (parts.isDeleted()) throw new LostBytesError(`The bytes of "${blob.id}" were deleted while they were read.`);
    const what = bytes === null ? "is missing" : "has the wrong size";
    const message = `The storage has lost bytes of "${blob.id}": "${key}" ${what}.`;
    throw damage(new LostBytesError(message));
  }

  function damage(error: StepwellError): StepwellError {
    parts.onDamage(error);
    return error;
  }

  function readAhead(): void {
    ahead = index <= last ? readAt(index++) : null;
    // An error surfaces when the stream reaches these bytes, or never if the reader stops before.
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

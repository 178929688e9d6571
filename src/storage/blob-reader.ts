/** Reads a range of a blob as it is asked for, one chunk ahead. */
import { StepwellError } from "../errors.ts";
import type { Blob } from "../ports/blobs.ts";
import type { Raw } from "./raw.ts";

export function readBlob(parts: {
  raw: Raw;
  blob: Blob;
  start: number;
  end: number;
  keyOf: (index: number) => string;
}): ReadableStream<Uint8Array> {
  const { raw, blob, start, end, keyOf } = parts;
  const chunkSize = blob.chunk_size;
  const last = start === end ? -1 : Math.ceil(end / chunkSize) - 1;
  let index = Math.floor(start / chunkSize);
  let ahead: Promise<Uint8Array> | null = null;

  async function readChunk(index: number): Promise<Uint8Array> {
    const offset = index * chunkSize;
    const size = Math.min(chunkSize, blob.size - offset);
    const from = Math.max(0, start - offset);
    const to = Math.min(size, end - offset);
    const key = keyOf(index);
    const bytes = await raw.read(key, { start: from, end: to, size });
    if (bytes?.length === to - from) return bytes;
    const what = bytes === null ? "is missing" : "does not have its size";
    throw new StepwellError("unavailable", `The storage has lost bytes of "${blob.id}": the chunk "${key}" ${what}.`);
  }

  function readAhead(): void {
    ahead = index <= last ? readChunk(index++) : null;
    // Its failure shows when it is this chunk's turn, or never when nobody reads on.
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
        readAhead();
        controller.enqueue(bytes);
        if (ahead === null) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

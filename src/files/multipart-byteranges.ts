/** Several ranges of a file as one body: multipart/byteranges (RFC 9110 §14.6). */
import type { File } from "./file.ts";
import type { ByteRange } from "./parse-range.ts";

export interface ByteRanges {
  readonly boundary: string;
  /** Number of bytes of the body. */
  readonly length: number;
  /** Reads one range after the other, on demand. */
  body(): ReadableStream<Uint8Array>;
}

export function byteRanges(
  ranges: readonly ByteRange[],
  { sha256, mime_type, size }: File,
  read: (range: ByteRange) => Promise<ReadableStream<Uint8Array>>,
): ByteRanges {
  // Derived from the hash of the file: no file can contain its own hash.
  const boundary = `stepwell-${sha256.slice(0, 40)}`;
  const encoder = new TextEncoder();
  const heads = ranges.map(({ start, end }) =>
    encoder.encode(
      `\r\n--${boundary}\r\ncontent-type: ${mime_type}\r\ncontent-range: bytes ${start}-${end - 1}/${size}\r\n\r\n`,
    ),
  );
  const tail = encoder.encode(`\r\n--${boundary}--\r\n`);
  const length = ranges.reduce(
    (sum, { start, end }, index) => sum + (heads[index]?.length ?? 0) + end - start,
    tail.length,
  );

  async function* content(): AsyncGenerator<Uint8Array> {
    for (const [index, range] of ranges.entries()) {
      const head = heads[index];
      if (head !== undefined) yield head;
      yield* await read(range);
    }
    yield tail;
  }

  return { boundary, length, body: () => streamOf(content()) };
}

function streamOf(source: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await source.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await source.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

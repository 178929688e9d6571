/** A file that is sent in pieces: bytes in memory, a blob, or a stream. */
import { StepwellError } from "../errors.ts";
import { bytesOf } from "./byte-stream.ts";

/** A piece of a file. */
export interface Piece {
  readonly bytes: Uint8Array | Blob;
  /** Where the piece ends. */
  readonly end: number;
  /** Size of the file; null if it is not known yet. */
  readonly total: number | null;
}

/** A file that is sent in pieces. */
export interface ByteSource {
  /** Size in bytes; null for a stream. */
  readonly size: number | null;
  /**
   * Returns at most so many bytes from an offset, at which the previous piece starts or ends, or lies within it.
   * @throws StepwellError `conflict` if a stream has passed the offset
   */
  read(offset: number, maxBytes: number): Promise<Piece>;
  /** Lets go of a stream that is not read to its end. */
  close(): Promise<void>;
}

export function byteSource(body: unknown): ByteSource {
  if (body instanceof Uint8Array) return wholeSource(body.length, (start, end) => body.subarray(start, end));
  if (body instanceof Blob) return wholeSource(body.size, (start, end) => body.slice(start, end));
  return streamSource(bytesOf(body));
}

function wholeSource(size: number, slice: (start: number, end: number) => Piece["bytes"]): ByteSource {
  return {
    size,
    async read(offset, maxBytes) {
      const end = Math.min(size, offset + maxBytes);
      return { bytes: slice(offset, end), end, total: size };
    },
    close: async () => undefined,
  };
}

/** Keeps what was read from the last offset on, so that it can be sent again. */
function streamSource(stream: AsyncGenerator<Uint8Array, void>): ByteSource {
  let kept = new Uint8Array();
  let start = 0;
  let hasEnded = false;
  const wrongOffset = (offset: number) =>
    new StepwellError("conflict", `The stream lacks byte ${offset}, at which the upload continues.`);
  return {
    size: null,
    async read(offset, maxBytes) {
      if (offset < start) throw wrongOffset(offset);
      const pieces = [kept.subarray(Math.min(offset - start, kept.length))];
      let size = pieces[0]?.length ?? 0;
      // What an earlier upload has sent.
      let skipped = Math.max(0, offset - start - kept.length);
      while (!hasEnded && size < maxBytes) {
        const next = await stream.next();
        hasEnded = next.done === true;
        if (next.done === true) break;
        const bytes = next.value.subarray(Math.min(skipped, next.value.length));
        skipped -= next.value.length - bytes.length;
        size += bytes.length;
        pieces.push(Uint8Array.from(bytes)); // callers may use their buffer again
      }
      if (skipped > 0) throw wrongOffset(offset);
      kept = new Uint8Array(await new Blob(pieces).arrayBuffer());
      start = offset;
      const bytes = kept.subarray(0, maxBytes);
      return { bytes, end: offset + bytes.length, total: hasEnded ? start + kept.length : null };
    },
    async close() {
      await stream.return();
    },
  };
}

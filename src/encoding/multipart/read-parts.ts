/** Reads the parts of a multipart body as they arrive. RFC 2046 §5.1.1. */
import { concatBytes } from "../bytes.ts";
import { boundaryOf, malformed } from "./boundary.ts";
import { MAX_HEADER_BYTES, type PartHeaders, readPartHeaders } from "./part-headers.ts";

export interface IncomingPart extends PartHeaders {
  /** The bytes of the part, valid until the next ones are read. Read all of them, or none: then they are skipped. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Bytes before the first boundary, after the last one, and of white space behind a boundary. */
const MAX_OTHER_BYTES = 64 * 1024;
const [CR, LF, DASH, SPACE, TAB] = [13, 10, 45, 32, 9];
const LINE_BREAK = Uint8Array.of(CR, LF);
const HEADERS_END = Uint8Array.of(CR, LF, CR, LF);
const TRUNCATED = "it ends before its last boundary";

/** @throws StepwellError `malformed`, as soon as the body cannot be valid */
export async function* readParts(
  contentType: string,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<IncomingPart, void> {
  const delimiter = new TextEncoder().encode(`\r\n--${boundaryOf(contentType)}`);
  const chunks = source[Symbol.asyncIterator]();
  // The first boundary may be at the very start, without the line break of the others.
  let buffer: Uint8Array = LINE_BREAK;

  /** Adds the next bytes to the buffer. */
  async function readMore(): Promise<void> {
    const { done, value } = await chunks.next();
    if (done === true) throw malformed(TRUNCATED);
    buffer = buffer.length === 0 ? value : concatBytes([buffer, value]);
  }

  /** Takes the bytes up to the next boundary, piece by piece, and the boundary. */
  async function* untilBoundary(skipped: number): AsyncGenerator<Uint8Array, void> {
    let skip = skipped;
    for (;;) {
      const at = find(buffer, delimiter, 0);
      // What may be the start of a boundary stays.
      const end = at === -1 ? Math.max(0, buffer.length - delimiter.length + 1) : at;
      if (end > skip) yield buffer.subarray(skip, end);
      skip = Math.max(0, skip - end);
      buffer = buffer.subarray(at === -1 ? end : at + delimiter.length);
      if (at !== -1) return;
      await readMore();
    }
  }

  /** Reads the rest of the line of a boundary. @returns Whether a part follows. */
  async function hasNextPart(): Promise<boolean> {
    for (;;) {
      let at = 0;
      while (buffer[at] === SPACE || buffer[at] === TAB) at++;
      if (at > MAX_OTHER_BYTES) throw malformed("a boundary is not followed by a line break");
      if (at + 1 < buffer.length) {
        const next = buffer.subarray(at, at + 2);
        if (next[0] === DASH && next[1] === DASH && at === 0) return false;
        if (next[0] !== CR || next[1] !== LF) throw malformed("a boundary is not followed by a line break");
        buffer = buffer.subarray(at);
        return true;
      }
      await readMore();
    }
  }

  /** Takes the headers, which the line break of the boundary precedes. That of the empty line stays. */
  async function takeHeaders(): Promise<Uint8Array> {
    for (let from = 0; ; ) {
      const end = find(buffer, HEADERS_END, from);
      if (end > MAX_HEADER_BYTES || (end === -1 && buffer.length > MAX_HEADER_BYTES + HEADERS_END.length)) {
        throw malformed(`the headers of a part exceed ${MAX_HEADER_BYTES} bytes`);
      }
      if (end !== -1) {
        const headers = buffer.subarray(LINE_BREAK.length, Math.max(LINE_BREAK.length, end));
        buffer = buffer.subarray(end + LINE_BREAK.length);
        return headers;
      }
      from = Math.max(0, buffer.length - HEADERS_END.length + 1);
      await readMore();
    }
  }

  try {
    let before = 0;
    for await (const bytes of untilBoundary(LINE_BREAK.length)) {
      before += bytes.length;
      if (before > MAX_OTHER_BYTES) throw malformed(`it has more than ${MAX_OTHER_BYTES} bytes before its first part`);
    }
    while (await hasNextPart()) {
      const headers = readPartHeaders(await takeHeaders());
      // The line break of the empty line may already belong to the boundary, if the part is empty.
      const body = untilBoundary(LINE_BREAK.length);
      yield { ...headers, body };
      for await (const _ of body);
    }
    for (let after = buffer.length; after <= MAX_OTHER_BYTES; ) {
      const { done, value } = await chunks.next();
      if (done === true) return;
      after += value.length;
    }
    throw malformed(`it has more than ${MAX_OTHER_BYTES} bytes after its last boundary`);
  } finally {
    await chunks.return?.();
  }
}

/** The first position of a sequence of bytes; -1 if there is none. The search for its first byte is native. */
function find(bytes: Uint8Array, sequence: Uint8Array, from: number): number {
  const first = sequence[0] ?? 0;
  for (let at = bytes.indexOf(first, from); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (at + sequence.length > bytes.length) return -1;
    let length = 1;
    while (length < sequence.length && bytes[at + length] === sequence[length]) length++;
    if (length === sequence.length) return at;
  }
  return -1;
}

/**
 * Separates the headers of the first part from the rest of a multipart body, and passes the last boundary on in one array.
 * multipasta reads some bodies differently if these are split, so the result would depend on how the network splits them.
 */
import { malformed } from "../../encoding/multipart/boundary.ts";

/** Bytes that a body may have besides the file: boundaries, headers, preamble and epilogue. */
export const MAX_OVERHEAD_BYTES = 64 * 1024;

export interface MultipartSplitter {
  /** The header lines of the first part, without the empty line after them. Null until they have arrived. */
  readonly head: Uint8Array | null;
  /** Number of bytes up to the end of the headers, or that may belong to them. */
  readonly headerBytes: number;
  /**
   * Adds bytes and returns those after the headers that can be parsed now, possibly none.
   * @throws StepwellError `malformed` if the body cannot contain a part
   */
  add(bytes: Uint8Array): Uint8Array;
  /** Returns the remaining bytes at the end of the body. @throws StepwellError `malformed` if no part has begun */
  rest(): Uint8Array;
}

const CR = 13;
const LF = 10;
const NONE = new Uint8Array(0);
const EMPTY_LINE = "\r\n\r\n";

export function createMultipartSplitter(boundary: string): MultipartSplitter {
  const closing = new TextEncoder().encode(`\r\n--${boundary}--`);
  // For searching only: maps every byte to one character.
  const latin1 = new TextDecoder("latin1");
  const delimiter = latin1.decode(closing.subarray(0, -2));
  let buffered: Uint8Array = NONE;
  let head: Uint8Array | null = null;
  let headerBytes = 0;

  /** Where the headers begin and end; null until all of them have arrived. */
  function findHeaders(bytes: Uint8Array): { start: number; end: number } | null {
    // The first boundary may be at the very start, without the line break of the others.
    const text = `\r\n${latin1.decode(bytes)}`;
    const at = text.indexOf(delimiter);
    if (at === -1) return null;
    // Proxies may add white space after a boundary (RFC 2046 §5.1.1).
    const [line = ""] = /^[ \t]*(\r\n?)?/.exec(text.slice(at + delimiter.length)) ?? [];
    const lineEnd = at + delimiter.length + line.length;
    if (line.endsWith("\r\n")) {
      const end = text.indexOf(EMPTY_LINE, lineEnd - 2);
      // Subtract the two characters added at the start, to get byte offsets.
      return end === -1 ? null : { start: Math.min(lineEnd, end) - 2, end: end - 2 };
    }
    if (lineEnd === text.length) return null;
    if (text.startsWith("--", lineEnd)) throw malformed("it ends without a part");
    if (text.slice(lineEnd) === "-") return null;
    throw malformed("a boundary is not followed by a line break");
  }

  /** Where the last boundary may begin, or the end. CR occurs only at the start of a boundary, so the last CR decides. */
  function safeEnd(bytes: Uint8Array): number {
    const tail = bytes.subarray(1 - closing.length);
    const at = tail.lastIndexOf(CR);
    const hasBegun = at !== -1 && tail.subarray(at).every((byte, index) => byte === closing[index]);
    return hasBegun ? bytes.length - tail.length + at : bytes.length;
  }

  return {
    get head() {
      return head;
    },
    get headerBytes() {
      return headerBytes;
    },
    add(bytes) {
      buffered = buffered.length === 0 ? bytes : concat(buffered, bytes);
      if (head === null) {
        // Search only where the headers may end, because bytes may arrive one by one.
        const found = bytes.includes(LF) || buffered.length > MAX_OVERHEAD_BYTES ? findHeaders(buffered) : null;
        headerBytes = found?.end ?? buffered.length;
        if (found === null) return NONE;
        head = buffered.slice(found.start, found.end);
        // Remove the line break of the last header. That of the empty line may already belong to a boundary.
        buffered = buffered.subarray(found.end + 2);
      }
      const end = safeEnd(buffered);
      const safe = buffered.subarray(0, end);
      buffered = buffered.subarray(end);
      return safe;
    },
    rest() {
      if (head === null) findHeaders(buffered);
      return head === null ? NONE : buffered;
    },
  };
}

export function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

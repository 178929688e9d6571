/**
 * Splits a multipart body anew: the headers of its first part are separated from the rest, and the last boundary comes in
 * one piece. multipasta reads some bodies differently when these are split; this way a body reads the same however the
 * network split it.
 */
import { MAX_OVERHEAD_BYTES, malformed } from "./part-headers.ts";

export interface MultipartSplitter {
  /** The header lines of the first part, without the empty one after them; null until they have arrived. */
  readonly head: Uint8Array | null;
  /** Bytes up to the end of the headers, or those that may belong to them. */
  readonly opening: number;
  /**
   * Takes bytes as they come; gives what can be read now behind the head, perhaps nothing.
   * @throws StepwellError `malformed` when there can be no part
   */
  add(bytes: Uint8Array): Uint8Array;
  /** What is left when nothing more comes. @throws StepwellError `malformed` where no part can have begun with it */
  rest(): Uint8Array;
}

const CR = 13;
const LF = 10;
const NONE = new Uint8Array(0);
const EMPTY_LINE = "\r\n\r\n";

export function createMultipartSplitter(boundary: string): MultipartSplitter {
  const closing = new TextEncoder().encode(`\r\n--${boundary}--`);
  // Only to search in: every byte has a character of its own.
  const latin1 = new TextDecoder("latin1");
  const delimiter = latin1.decode(closing.subarray(0, -2));
  let held: Uint8Array = NONE;
  let head: Uint8Array | null = null;
  let opening = 0;

  /** Where the headers begin and end, if all of them have arrived. */
  function findHeaders(bytes: Uint8Array): { start: number; end: number } | null {
    // The first boundary may stand at the very beginning, without the line break that belongs to the others.
    const text = `\r\n${latin1.decode(bytes)}`;
    const at = text.indexOf(delimiter);
    if (at === -1) return null;
    // Whoever passes a body on may put spaces behind a boundary (RFC 2046 section 5.1.1).
    const [line = ""] = /^[ \t]*(\r\n?)?/.exec(text.slice(at + delimiter.length)) ?? [];
    const lineEnd = at + delimiter.length + line.length;
    if (line.endsWith("\r\n")) {
      const end = text.indexOf(EMPTY_LINE, lineEnd - 2);
      // The offsets are those of the bytes: the two characters that were put before them are taken off again.
      return end === -1 ? null : { start: Math.min(lineEnd, end) - 2, end: end - 2 };
    }
    if (lineEnd === text.length) return null;
    if (text.startsWith("--", lineEnd)) throw malformed("it ends without a part");
    if (text.slice(lineEnd) === "-") return null;
    throw malformed("a boundary is not followed by a line break");
  }

  /** Where the last boundary may have begun, or the end. A boundary has no CR but its first: the latest one decides. */
  function safeEnd(bytes: Uint8Array): number {
    const tail = bytes.subarray(1 - closing.length);
    const at = tail.lastIndexOf(CR);
    const begun = at !== -1 && tail.subarray(at).every((byte, index) => byte === closing[index]);
    return begun ? bytes.length - tail.length + at : bytes.length;
  }

  return {
    get head() {
      return head;
    },
    get opening() {
      return opening;
    },
    add(bytes) {
      held = held.length === 0 ? bytes : concat(held, bytes);
      if (head === null) {
        // Looked for only where it may end: bytes may come one by one.
        const found = bytes.includes(LF) || held.length > MAX_OVERHEAD_BYTES ? findHeaders(held) : null;
        opening = found?.end ?? held.length;
        if (found === null) return NONE;
        head = held.slice(found.start, found.end);
        // The line break of the last line goes with it; that of the empty one may belong to a boundary already.
        held = held.subarray(found.end + 2);
      }
      const end = safeEnd(held);
      const safe = held.subarray(0, end);
      held = held.subarray(end);
      return safe;
    },
    rest() {
      if (head === null) findHeaders(held);
      return head === null ? NONE : held;
    },
  };
}

export function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

/**
 * Cuts a multipart body anew, so that its first head comes in one piece, and so does its last boundary. multipasta reads
 * some bodies differently where these are cut in two; this way a body reads the same however the network cut it.
 */

export interface MultipartPieces {
  /** Takes bytes as they come; gives what can be read now, perhaps nothing. */
  add(bytes: Uint8Array): Uint8Array;
  /** What is left when nothing more comes. */
  rest(): Uint8Array;
}

const CR = 13;
const LF = 10;
const NONE = new Uint8Array(0);

export function createMultipartPieces(boundary: string): MultipartPieces {
  const closing = new TextEncoder().encode(`\r\n--${boundary}--`);
  // Only to search in: every byte has a character of its own.
  const latin1 = new TextDecoder("latin1");
  const opening = latin1.decode(closing.subarray(0, -2));
  let held: Uint8Array = NONE;
  let inHead = true;

  function isHeadWhole(bytes: Uint8Array): boolean {
    // The first boundary may stand at the very beginning, without the line break that belongs to the others.
    const text = `\r\n${latin1.decode(bytes)}`;
    const at = text.indexOf(opening);
    return at !== -1 && text.includes("\r\n\r\n", at + opening.length);
  }

  /** Where the last boundary may have begun, or the end. A boundary has no CR but its first: the latest one decides. */
  function safeEnd(bytes: Uint8Array): number {
    const tail = bytes.subarray(1 - closing.length);
    const at = tail.lastIndexOf(CR);
    const begun = at !== -1 && tail.subarray(at).every((byte, index) => byte === closing[index]);
    return begun ? bytes.length - tail.length + at : bytes.length;
  }

  return {
    add(bytes) {
      const joined = held.length === 0 ? bytes : concat(held, bytes);
      held = joined;
      if (inHead && !(bytes.includes(LF) && isHeadWhole(joined))) return NONE;
      inHead = false;
      const end = safeEnd(joined);
      held = joined.subarray(end);
      return joined.subarray(0, end);
    },
    rest: () => held,
  };
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

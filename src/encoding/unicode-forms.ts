/** Unicode encodings besides plain UTF-8: byte order marks, UTF-32, and UTF-16 without a mark. */

export type MarkedEncoding = "utf-8" | "utf-16le" | "utf-16be" | "utf-32le" | "utf-32be";

/** Longest first: the mark of UTF-32LE starts with that of UTF-16LE. */
const MARKS: readonly (readonly [MarkedEncoding, readonly number[]])[] = [
  ["utf-32le", [0xff, 0xfe, 0, 0]],
  ["utf-32be", [0, 0, 0xfe, 0xff]],
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];
/** Characters that text does not contain: controls except white space, private use, and unassigned code points. */
const UNLIKELY = /[^\P{Cc}\t\n\f\r]|\p{Co}|\p{Cn}/u;
/** UTF-16 without a mark is recognized by this share of characters below U+0100: markup, digits, spaces. */
const LATIN_SHARE = 1 / 3;
/** Code points per call of `fromCodePoint`: a number of arguments that every runtime accepts. */
const CODE_POINTS_PER_CALL = 4_096;

/** Whether a text contains characters that suggest that it was decoded in the wrong encoding. */
export function hasUnlikelyCharacters(text: string): boolean {
  return UNLIKELY.test(text);
}

/** The encoding that a byte order mark at the start declares, if any. */
export function byteOrderMark(bytes: Uint8Array): MarkedEncoding | undefined {
  return MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0];
}

/** Decodes UTF-32, which TextDecoder does not support, without the mark. Null if it is invalid. */
export function decodeUtf32(bytes: Uint8Array, encoding: "utf-32le" | "utf-32be", isStart: boolean): string | null {
  if (bytes.length % 4 !== 0 && !isStart) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const texts: string[] = [];
  let points: number[] = [];
  for (let at = 4; at + 4 <= bytes.length; at += 4) {
    const point = view.getUint32(at, encoding === "utf-32le");
    if (point === 0 || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return null;
    points.push(point);
    if (points.length < CODE_POINTS_PER_CALL) continue;
    texts.push(String.fromCodePoint(...points));
    points = [];
  }
  return texts.join("") + String.fromCodePoint(...points);
}

/** Decodes bytes that look like UTF-16 without a byte order mark. Null if they don't. */
export function unmarkedUtf16(bytes: Uint8Array, isStart: boolean): string | null {
  let even = 0;
  let odd = 0;
  for (let index = 0; index < bytes.length; index++) {
    if (bytes[index] !== 0) continue;
    if (index % 2 === 0) even++;
    else odd++;
  }
  if (even > 0 === odd > 0) return null; // zero bytes on both sides or none: not UTF-16 of mostly Latin text
  if (Math.max(even, odd) < Math.floor(bytes.length / 2) * LATIN_SHARE) return null;
  const decoder = new TextDecoder(odd > 0 ? "utf-16le" : "utf-16be", { fatal: true });
  try {
    const text = decoder.decode(bytes, { stream: isStart });
    return hasUnlikelyCharacters(text) ? null : text;
  } catch {
    return null;
  }
}

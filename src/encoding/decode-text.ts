/** Decodes bytes into text, and distinguishes text from binary data. The only place that decides how to read bytes. */
import { charsetOf, documentEncoding } from "./declared-encoding.ts";
import { essenceOf, isTextType } from "./text-types.ts";
import {
  byteOrderMark,
  decodeUtf32,
  hasUnlikelyCharacters,
  type MarkedEncoding,
  unmarkedUtf16,
} from "./unicode-forms.ts";

export interface DecodeOptions {
  /** Whether the bytes are the start of a longer text and may end within a character. @default false */
  readonly isStart?: boolean;
}

/** Control characters that text does not contain: all except tab, line feed, form feed and carriage return. */
const CONTROL = /[^\P{Cc}\t\n\f\r]/u;
/** Letters beyond ASCII that a short windows-1252 text must have at least. */
const MIN_LETTERS = 2;

/**
 * The text of bytes; null if they are not text or their encoding cannot be detected.
 *
 * The first of these decides: a byte order mark (UTF-8, UTF-16, UTF-32); the `charset` of the media type; the encoding
 * that an HTML or XML document declares; UTF-8. A declared encoding in which the bytes are invalid is ignored. For text
 * types only, guesses follow in this order: UTF-16 without a mark; UTF-8 with a few damaged bytes, which become U+FFFD;
 * windows-1252, if the bytes look like Latin text.
 *
 * @param contentType A media type, optionally with parameters; empty for none.
 */
export function decodeText(bytes: Uint8Array, contentType: string, options: DecodeOptions = {}): string | null {
  const { isStart = false } = options;
  const type = essenceOf(contentType);
  const isText = isTextType(type);
  const mark = byteOrderMark(bytes);
  if (mark !== undefined) {
    const text = decodeMarked(mark, bytes, isStart);
    // Binary data may begin like a mark by chance.
    return text !== null && mark !== "utf-8" && !isText && hasUnlikelyCharacters(text) ? null : text;
  }
  for (const label of [charsetOf(contentType), documentEncoding(bytes, type)]) {
    const text = label === undefined ? null : withoutNul(decodeAs(label, bytes, isStart));
    if (text !== null) return text;
  }
  if (bytes.includes(0)) return isText ? unmarkedUtf16(bytes, isStart) : null;
  const text = decodeAs("utf-8", bytes, isStart);
  if (text !== null || !isText) return text;
  return damagedUtf8(bytes) ?? windows1252(bytes);
}

function decodeMarked(mark: MarkedEncoding, bytes: Uint8Array, isStart: boolean): string | null {
  if (mark === "utf-32le" || mark === "utf-32be") return decodeUtf32(bytes, mark, isStart);
  return withoutNul(decodeAs(mark, bytes, isStart));
}

/** Whether bytes can be text in a single-byte encoding: none of them is a control character. */
export function isSingleByteText(bytes: Uint8Array): boolean {
  return !CONTROL.test(decode(new TextDecoder("windows-1252"), bytes, false));
}

export function hasControlCharacters(text: string): boolean {
  return CONTROL.test(text);
}

/** Returns null if the bytes are invalid in the encoding, or it is unknown. @param label As in WHATWG Encoding. */
export function decodeAs(label: string, bytes: Uint8Array, isStart = false): string | null {
  try {
    return decode(new TextDecoder(label, { fatal: true }), bytes, isStart);
  } catch {
    return null;
  }
}

/**
 * Decodes many texts, with one decoder: to create one for each takes longer than to decode a short text.
 * @returns null if one of them is invalid in the encoding, or it is unknown
 */
export function decodeAllAs(label: string, texts: readonly Uint8Array[]): readonly string[] | null {
  try {
    const decoder = new TextDecoder(label, { fatal: true });
    return texts.map((bytes) => decode(decoder, bytes, false));
  } catch {
    return null;
  }
}

/** In two calls, because Node.js 20 mistakes windows-1252 for ISO-8859-1 in a single call. */
function decode(decoder: TextDecoder, bytes: Uint8Array, isStart: boolean): string {
  const text = decoder.decode(bytes, { stream: true });
  return isStart ? text : text + decoder.decode();
}

function withoutNul(text: string | null): string | null {
  return text?.includes("\0") === true ? null : text;
}

/** UTF-8 with more valid than invalid characters beyond ASCII, such as a text that was cut or concatenated. */
function damagedUtf8(bytes: Uint8Array): string | null {
  const text = new TextDecoder().decode(bytes);
  let valid = 0;
  let invalid = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0xfffd) invalid++;
    else if (unit > 0x7f) valid++;
  }
  return valid > invalid && !CONTROL.test(text) ? text : null;
}

/** Every byte is a character in windows-1252. Null if the result looks like another alphabet. */
function windows1252(bytes: Uint8Array): string | null {
  let letters = 0;
  let beyondAscii = 0;
  for (const byte of bytes) {
    const lower = byte | 0x20;
    if (byte >= 0xc0) beyondAscii++;
    else if (lower >= 0x61 && lower <= 0x7a) letters++;
  }
  if (beyondAscii > Math.max(letters, MIN_LETTERS)) return null;
  const text = decode(new TextDecoder("windows-1252"), bytes, false);
  return CONTROL.test(text) ? null : text;
}

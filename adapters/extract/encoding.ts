/** Decides in which encoding a text is written. */
import { ExtractError } from "../../src/ports/extractor.ts";

const CHARSET = /;\s*charset\s*=\s*"?([\w.:-]+)/i;
const META = /<meta[^<>]+charset\s*=\s*["']?([\w.:-]+)/i;
/** As far as HTML has to declare its encoding, and then some. */
const META_WITHIN = 4096;

/**
 * The first of these that fits: a byte order mark (UTF-8 or UTF-16); the `charset` of the media type; UTF-8, if it is
 * valid; the one that an HTML document declares; windows-1252, which spreadsheets still write CSV in, if there is
 * nothing in it that no text has.
 * @throws ExtractError `damaged`
 */
export function decoded(bytes: Uint8Array, mimeType: string): string {
  const marked = byMark(bytes);
  if (marked !== null) return decode(new TextDecoder(marked), bytes);
  const declared = CHARSET.exec(mimeType)?.[1];
  const text = (declared === undefined ? null : attempt(declared, bytes)) ?? attempt("utf-8", bytes);
  if (text !== null) return readable(text);
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, META_WITHIN));
  const meta = mimeType.includes("html") ? META.exec(start)?.[1] : undefined;
  return readable((meta === undefined ? null : attempt(meta, bytes)) ?? decode(new TextDecoder("windows-1252"), bytes));
}

function byMark([first, second, third]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xef && second === 0xbb && third === 0xbf ? "utf-8" : null;
}

/** Null where the bytes are not of the encoding, or nobody knows the encoding. */
function attempt(encoding: string, bytes: Uint8Array): string | null {
  try {
    return decode(new TextDecoder(encoding, { fatal: true }), bytes);
  } catch {
    return null;
  }
}

/** In two calls, because Node 20 takes windows-1252 for latin1 when it is one. */
function decode(decoder: TextDecoder, bytes: Uint8Array): string {
  return decoder.decode(bytes, { stream: true }) + decoder.decode();
}

/** Every byte is some character of windows-1252, but text has no NUL and hardly a control character. */
function readable(text: string): string {
  if (text.includes("\0")) throw new ExtractError("damaged", "it holds bytes that no text has");
  return text;
}

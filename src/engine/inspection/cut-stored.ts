/** Starts of JSON texts as they are stored, where more characters than necessary may be escaped. Pure. */
import { type CutJson, startInBytes } from "./json-preview.ts";
import type { Scan } from "./stored-json.ts";

/** Characters between two yields: at most a few milliseconds, if all are escaped. */
const PART_CHARS = 32_768;

/** Characters of an escape such as `\u00e9`. */
export const ESCAPE_CHARS = 6;

/**
 * Returns the start of a text as `JSON.stringify` writes it. Null if that is all of the text.
 * @param text May end anywhere.
 * @param limit Bytes.
 * @param chars About how long the whole text is.
 */
export function* cutStored(text: string, limit: number, chars: number): Scan<CutJson | null> {
  const encoder = new TextEncoder();
  let start = "";
  let bytes = 0;
  for (let at = 0; at < text.length && bytes <= limit; ) {
    const end = endOfCharacter(text, at, at + PART_CHARS);
    if (end <= at) break; // the text ends within an escape
    const part = unescaped(text.slice(at, end));
    start += part;
    bytes += encoder.encode(part).length;
    at = end;
    yield;
  }
  const preview = startInBytes(start, limit);
  return preview === null ? null : { bytes: Math.max(limit + 1, chars), preview };
}

/** Whole escapes. Those of characters that follow each other may be pairs of surrogates. */
const ESCAPES = /\\[^u]|(?:\\u[0-9a-f]{4})+/g;

function unescaped(text: string): string {
  if (!text.includes("\\u")) return text;
  return text.replace(ESCAPES, (written) =>
    written.startsWith("\\u") ? JSON.stringify(JSON.parse(`"${written}"`)).slice(1, -1) : written,
  );
}

/**
 * Returns the last index up to `most` that is not within a character, or within the escapes of one.
 * @param from Such an index before it. Nothing before that is read, so that many backslashes take linear time.
 */
function endOfCharacter(text: string, from: number, most: number): number {
  let end = Math.min(text.length, most);
  const start = escapeBefore(text, from, end);
  if (start !== null && start + escapeLength(text, start) > end) end = start;
  // A pair may follow, as it is or escaped.
  if (/[\ud800-\udbff]$/.test(text.slice(end - 1, end))) return end - 1;
  const last = escapeBefore(text, from, end);
  const isHigh = last !== null && /^\\ud[89ab]/.test(text.slice(last, end)) && end - last === ESCAPE_CHARS;
  return isHigh ? last : end;
}

const escapeLength = (text: string, start: number): number => (text.charAt(start + 1) === "u" ? ESCAPE_CHARS : 2);

/** Returns where an escape starts that may reach up to `end`. */
function escapeBefore(text: string, from: number, end: number): number | null {
  const near = Math.max(from, end - ESCAPE_CHARS);
  const at = text.slice(near, end).lastIndexOf("\\");
  if (at === -1) return null;
  const last = near + at;
  let first = last;
  while (first > from && text.charAt(first - 1) === "\\") first--;
  // Two backslashes are one character.
  return (last - first) % 2 === 0 ? last : null;
}

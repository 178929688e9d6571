/**
 * Text that PostgreSQL can store. It has neither U+0000 nor lone surrogates. In JSON, both are escaped anyway.
 *
 * IDs, orders, marks and names must stay distinct, so these characters are escaped in them. In text to search they are
 * replaced, in rows and searches alike, so that a row that contains a text still does.
 */

import { createHash } from "node:crypto";

/** Separates the marks of a row in one text. Marks contain no control characters once they are escaped. */
export const SEPARATOR = "\n";

const ESCAPE = "\\";
/** Control characters, and surrogates without the other half of their pair. */
const UNSTORABLE = /[\\\p{Cc}\p{Cs}]/gu;
const ESCAPED = /\\([0-9a-f]{4})/g;
/** One character is at most 5 bytes here. */
const MAX_MARK_CHARS = 250;
const LONE_SURROGATE = /\p{Cs}/gu;

/** Most text is ASCII without control characters, which takes less time to find out. */
const isPlain = (text: string) => /^[\x20-\x5b\x5d-\x7e]*$/.test(text);

/** As an ID, an order or a part of them. The order of texts is kept unless they contain escaped characters. */
export function escapeText(text: string): string {
  if (isPlain(text)) return text;
  return text.replace(UNSTORABLE, (unit) => `${ESCAPE}${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

export function unescapeText(text: string): string {
  if (!text.includes(ESCAPE)) return text;
  return text.replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/**
 * As a mark. The empty one is what the number of all rows is stored under, so it is another text here. An entry of an index
 * has a few kilobytes at most, so a long mark is replaced by its digest: nobody reads marks.
 */
export function escapeMark(mark: string): string {
  if (mark === "") return ESCAPE;
  if (mark.length <= MAX_MARK_CHARS) return escapeText(mark);
  return `${ESCAPE}${createHash("sha256").update(mark, "utf16le").digest("hex")}`;
}

/** The marks that are stored by their digests, as JSON. Null if there are none, as in nearly all rows. */
export function longMarksOf(marks: readonly string[]): string | null {
  const long = marks.filter(({ length }) => length > MAX_MARK_CHARS);
  return long.length === 0 ? null : JSON.stringify(long);
}

/** The marks of {@link escapeMark} and {@link longMarksOf}. */
export function unescapeMarks(stored: readonly string[], longMarks: readonly string[]): readonly string[] {
  const digests = new Set(longMarks.map(escapeMark));
  const short = stored.filter((mark) => !digests.has(mark));
  return [...short.map((mark) => (mark === ESCAPE ? "" : unescapeText(mark))), ...longMarks];
}

/** As text to search. */
export function searchableText(text: string): string {
  return isPlain(text) ? text : text.replace(LONE_SURROGATE, "\ufffd").replaceAll("\u0000", "\ufffd");
}

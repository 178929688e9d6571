/** Recognizes bodies that are neither CSV nor JSON Lines, whose lines would otherwise be read as rows. Pure. */
import type { TransferFormat } from "./import-query.ts";

/** `binary`: not text, such as a picture. `json`: JSON instead of CSV. `array`: a list of records instead of lines. */
export type WrongText = "binary" | "json" | "array";

/** Bytes that decide. */
const HEAD_BYTES = 65_536;
/** Control characters for one character of binary content, at least. Text may have a few that slipped in. */
const MIN_CONTROL_SHARE = 0.02;

/** What the beginning of a text is instead. Null if it may be in the format. @param head In UTF-8. */
export function wrongText(head: Uint8Array, format: TransferFormat): WrongText | null {
  const text = new TextDecoder().decode(head.subarray(0, HEAD_BYTES));
  if (isBinary(text)) return "binary";
  // Names of columns may have brackets, but no records in them.
  if (/^\s*\[\s*\{/.test(text)) return "array";
  return format === "csv" && /^\s*\{\s*"/.test(text) ? "json" : null;
}

/** A NUL alone may have slipped in, and then the row says so. */
function isBinary(text: string): boolean {
  let nuls = 0;
  let others = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0) nuls++;
    else if (code < SPACE && !LAYOUT.has(code)) others++;
  }
  return nuls > 0 && others > 0 && nuls + others >= MIN_CONTROL_SHARE * text.length;
}

const SPACE = 32;
/** Tab, line feed, vertical tab, form feed and carriage return. */
const LAYOUT: ReadonlySet<number> = new Set([9, 10, 11, 12, 13]);

/** Starts of JSON texts, without writing the whole text. Pure. */
import type { JsonValue } from "../../json.ts";
import { namesOf } from "../expressions/functions/object-names.ts";
import { charsOf } from "../state/large-values.ts";

/** A value, or the start of its JSON text. */
export type Previewed = { readonly value: JsonValue } | { readonly preview: string };

/** @param limit Maximum length of the JSON text in characters. */
export function previewed(value: JsonValue, limit: number): Previewed {
  // One character more than the limit, and one that may be half of a pair.
  const start = jsonStart(value, limit + 2);
  return start.length <= limit ? { value } : { preview: wholeCharacters(start.slice(0, limit)) };
}

/** Returns the start of the JSON text of a value, which never ends within a character. */
export function jsonStart(value: JsonValue, limit: number): string {
  const pieces: string[] = [];
  let left = limit;

  function write(piece: string): boolean {
    pieces.push(piece.slice(0, Math.max(0, left)));
    left -= piece.length;
    return left > 0;
  }

  function writeAll(items: Iterable<readonly [string, JsonValue]>, open: string, close: string): boolean {
    let isFirst = true;
    if (!write(open)) return false;
    for (const [name, item] of items) {
      if (!write(isFirst ? name : `,${name}`) || !visit(item)) return false;
      isFirst = false;
    }
    return write(close);
  }

  function visit(one: JsonValue): boolean {
    if (typeof one === "string") return write(JSON.stringify(one.slice(0, left + 1)));
    if (typeof one !== "object" || one === null) return write(JSON.stringify(one));
    if (Array.isArray(one)) return writeAll(unnamed(one), "[", "]");
    return writeAll(named(one), "{", "}");
  }

  visit(value);
  return wholeCharacters(pieces.join(""));
}

/** Half of a surrogate pair is no character. */
const wholeCharacters = (text: string): string => (/[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text);

function* unnamed(items: readonly JsonValue[]): Generator<readonly [string, JsonValue]> {
  for (const item of items) yield ["", item];
}

function* named(object: { [key: string]: JsonValue }): Generator<readonly [string, JsonValue]> {
  for (const key of namesOf(object)) {
    const item = object[key];
    if (item !== undefined) yield [`${JSON.stringify(key)}:`, item];
  }
}

/**
 * About how long the JSON text of a value is, and its start; null if it is not longer than the limit in bytes. Writes no
 * more of the value than its start: it may have megabytes.
 * @param chars About how long it is. @default counted
 */
export function cutJson(value: JsonValue, limit: number, chars?: number): CutJson | null {
  // One character more than the limit, and one that may be half of a pair.
  const preview = startInBytes(jsonStart(value, limit + 2), limit);
  return preview === null ? null : { bytes: Math.max(limit + 1, chars ?? charsOf(value)), preview };
}

/** The start of a JSON text that is longer than a limit. */
export interface CutJson {
  /** About how long the whole text is. */
  readonly bytes: number;
  readonly preview: string;
}

/** Returns as many characters as have at most this number of bytes; null if that is all of the text. */
export function startInBytes(text: string, limit: number): string | null {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= limit) return null;
  let end = limit;
  while (end > 0 && isContinuation(bytes[end])) end--;
  return new TextDecoder().decode(bytes.subarray(0, end));
}

/** Whether a byte of UTF-8 is not the first of its character. */
const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** An entry of a segment: a document with its rows, or the deletion of one, as one line of text with a checksum. */

import { decodeInParts, type Pause } from "../../encoding/long-text.ts";
import { isRecord } from "../../json.ts";
import type { Document, Stored } from "../../ports/store.ts";
import { type ListedRow, NO_ROWS } from "../commits/document-rows.ts";
import { CHECKSUM_CHARS, type ChecksumCodec } from "../driver/checksum.ts";
import { areStoredRows, formatRows, parseRows } from "./entry-rows.ts";

/** Identifies the checkpoint that stored an entry: the generation of its owner, and the number of the first log record after it. */
export type CheckpointMark = readonly [generation: number, cut: number];

/** A document as stored on the driver. */
export interface StoredDocument extends Stored<Document> {
  /** The document's rows in lists. */
  readonly rows: readonly ListedRow[];
}

/** An entry as it is written. Segments are merged without parsing it. */
export interface Entry {
  readonly key: string;
  /** The line without its separator. */
  readonly line: string;
  /** Length of the older entry of the same key, which no longer counts. 0 if there is none. */
  readonly replaced: number;
}

/** What a line contains. The document is null if it was deleted. */
export interface EntryContent {
  readonly key: string;
  readonly document: StoredDocument | null;
  readonly mark: CheckpointMark;
}

export const SEPARATOR = "\n";

/** Where the value begins in a line. */
const VALUE_START = CHECKSUM_CHARS + 1;

/** @param document The version, the document as JSON and its rows. Null for a deletion. */
export function formatEntry(
  codec: ChecksumCodec,
  key: string,
  document: { readonly version: number; readonly json: string; readonly rows: readonly ListedRow[] } | null,
  [generation, cut]: CheckpointMark,
): string {
  const mark = `[${generation},${cut}]`;
  if (document === null) return codec.encode(`["${key}",null,null,${mark}]`);
  const { version, json, rows } = document;
  const listed = rows.length === 0 ? "" : `,${asAscii(formatRows(key, rows))}`;
  return codec.encode(`["${key}",${version},${asAscii(json)},${mark}${listed}]`);
}

/** Returns undefined if the line is damaged. */
export function parseEntry(codec: ChecksumCodec, line: string): EntryContent | undefined {
  const value = codec.decode(line);
  if (!Array.isArray(value)) return undefined;
  const [key, version, document, mark, rows = NO_ROWS]: unknown[] = value;
  if (typeof key !== "string" || !isMark(mark)) return undefined;
  if (version === null) return { key, mark, document: null };
  if (typeof version !== "number" || !isRecord(document) || !areStoredRows(rows)) return undefined;
  return { key, mark, document: { version, document, rows: parseRows(key, rows) } };
}

/** Finds the line of a key. The text begins with a line. */
export function findLine(text: string, key: string): string | undefined {
  // A document may contain the same text. Only at the start of a line it is the key.
  const start = `["${key}",`;
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1)) {
    const lineStart = at - VALUE_START;
    if (lineStart !== 0 && text[lineStart - 1] !== SEPARATOR) continue;
    const end = text.indexOf(SEPARATOR, at);
    return text.slice(lineStart, end === -1 ? undefined : end);
  }
  return undefined;
}

/** Like {@link findLine}, of bytes. */
export function findLineIn(bytes: Uint8Array, key: string): Uint8Array | undefined {
  const start = `["${key}",`;
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(SEPARATOR_BYTE, at);
    const line = bytes.subarray(at, end === -1 ? bytes.length : end);
    if (textIn(line, VALUE_START, VALUE_START + start.length) === start) return line;
    at += line.length + 1;
  }
  return undefined;
}

/**
 * Returns the JSON text of the document in an intact line, or its start. Null for a deletion.
 * @param maxChars Length of the start. Default: the whole text.
 */
export async function documentText(
  key: string,
  line: Uint8Array,
  maxChars: number | undefined,
  pause: Pause,
): Promise<string | null> {
  const head = textIn(line, 0, VALUE_START + key.length + MAX_VERSION_CHARS);
  if (isDeletion({ key, line: head })) return null;
  const start = head.indexOf(",", VALUE_START + `["${key}",`.length) + 1;
  const tail = MARK_AT_END.exec(textIn(line, line.length - MAX_MARK_CHARS, line.length))?.[0];
  if (tail === undefined) {
    // Only small documents have rows, which come after the mark.
    const [, , document]: unknown[] = JSON.parse(textIn(line, VALUE_START, line.length));
    return JSON.stringify(document).slice(0, maxChars);
  }
  const end = line.length - tail.length;
  return decodeInParts(line.subarray(start, Math.min(end, start + (maxChars ?? end))), pause);
}

const SEPARATOR_BYTE = SEPARATOR.charCodeAt(0);
const MARK_AT_END = /,\[\d+,\d+\]\]$/;
const MAX_MARK_CHARS = 48;
/** With the punctuation around it and the key. */
const MAX_VERSION_CHARS = 24;

const textIn = (bytes: Uint8Array, start: number, end: number): string =>
  new TextDecoder().decode(bytes.subarray(Math.max(0, start), end));

/** Whether the line of a key is a deletion. */
export function isDeletion({ key, line }: Pick<Entry, "key" | "line">): boolean {
  return line.startsWith(`["${key}",null,`, VALUE_START);
}

/** The key that a damaged line seems to have. */
export function guessKey(line: string): string | null {
  return /^.{16} \["([a-z0-9_.:-]+)",/.exec(line)?.[1] ?? null;
}

/** Segments are ASCII, so that a position in the text is one in the bytes. */
function asAscii(json: string): string {
  return IS_ASCII.test(json) ? json : json.replace(BEYOND_ASCII, escaped);
}

const IS_ASCII = /^[ -~]*$/;
const BEYOND_ASCII = /[^ -~]/g;
const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

function isMark(value: unknown): value is CheckpointMark {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === "number");
}

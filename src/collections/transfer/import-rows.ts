/** Reads the rows of stored CSV or lines of JSON, some at a time. The position after them is all that is needed to go on. */
import { concatBytes, MEBIBYTE, readBytes } from "../../encoding/bytes.ts";
import { StepwellError } from "../../errors.ts";
import type { Blob, Blobs } from "../../ports/blobs.ts";
import { MAX_FIELDS } from "../records/record.ts";
import { columnsOf, type Delimiter, detectDelimiter, givenColumns } from "./csv-header.ts";
import type { TransferFormat } from "./import-query.ts";
import { type FoundRow, type FoundRows, findRows } from "./row-splitter.ts";
import { type WrongText, wrongText } from "./wrong-text.ts";

/** Maximum bytes of a row: a record of 1 MiB as JSON within a quoted cell or line. */
const MAX_ROW_BYTES = 4 * MEBIBYTE;
const READ_BYTES = MEBIBYTE;
const LINE_END_BYTES = 2;
const TOO_MANY_COLUMNS = `The header exceeds the limit of ${MAX_FIELDS} columns.`;
const HAS_NUL = "contains a NUL character. Remove it.";
const LINE_END = new Uint8Array([10]);

/** Where the next row begins. */
export interface RowPosition {
  readonly byte: number;
  /** Number of lines before it. */
  readonly line: number;
}

/** How the rows are to be read. */
export type RowFormat =
  | {
      readonly kind: "csv";
      readonly delimiter: Delimiter;
      /** Fields of the columns; empty for one that is left out. */
      readonly columns: readonly string[];
    }
  | { readonly kind: "jsonl" };

export interface ImportRow {
  /** Number of its first line, starting at 1. */
  readonly line: number;
  /** The cells of CSV, one for each column; the text of a line of JSON; or why the row cannot be read. */
  readonly content: readonly string[] | string | StepwellError;
}

export interface ImportRows {
  readonly rows: readonly ImportRow[];
  readonly next: RowPosition;
  readonly isLast: boolean;
}

export interface RowReader {
  /**
   * The format of CSV and the position after the header.
   * @param columns Fields of the columns; null for those that the header names.
   * @throws StepwellError `invalid` if the header is wrong, or the text is no CSV
   */
  open(
    delimiter: Delimiter | null,
    columns: readonly string[] | null,
  ): Promise<{ readonly format: RowFormat; readonly start: RowPosition }>;
  /**
   * Reads up to `most` rows, none if only blank lines could be read at once.
   * @throws StepwellError `invalid` for a row that is too long, for a quote without an end, and for a text that has no lines
   * of JSON
   */
  read(format: RowFormat, position: RowPosition, most: number): Promise<ImportRows>;
}

/** Keeps the bytes that it has read, up to 4 MiB, so that each is read about once. */
export function createRowReader(blobs: Pick<Blobs, "read">, blob: Blob): RowReader {
  let known = { start: 0, bytes: new Uint8Array() };

  async function bytesAt(start: number, size: number): Promise<Uint8Array> {
    const end = Math.min(blob.size, start + size);
    if (start === end) return new Uint8Array();
    known = { start, bytes: await readBytes(blobs.read(blob, { start, end })) };
    return known.bytes;
  }

  /** Reads further if the bytes that are known do not hold a whole row. */
  async function find(byte: number, delimiter: number | null, most: number) {
    const isKnown = byte >= known.start && byte < known.start + known.bytes.length;
    let bytes = isKnown ? known.bytes.subarray(byte - known.start) : await bytesAt(byte, READ_BYTES);
    for (const size of [READ_BYTES, MAX_ROW_BYTES + LINE_END_BYTES, 0]) {
      const isEnd = byte + bytes.length === blob.size;
      const found = findRows(bytes, delimiter, most, isEnd);
      if (found.next > 0 || isEnd || size === 0) return { bytes, found, isEnd };
      if (size > bytes.length) bytes = await bytesAt(byte, size);
    }
    throw new Error("the last size is 0");
  }

  async function rowsAt(position: RowPosition, delimiter: number | null, most: number) {
    const { bytes, found, isEnd } = await find(position.byte, delimiter, most);
    if (found.next === 0 && found.open !== undefined) throw noEnd(found, position, isEnd);
    const next = { byte: position.byte + found.next, line: position.line + found.lines };
    return { bytes, found: found.rows, next, isLast: next.byte === blob.size };
  }

  return {
    async open(delimiter, given) {
      const head = await bytesAt(0, READ_BYTES);
      refuseOther(head, "csv");
      const used = delimiter ?? detectDelimiter(head);
      let at = await rowsAt({ byte: 0, line: 0 }, used.charCodeAt(0), 1);
      while (at.found.length === 0 && !at.isLast) at = await rowsAt(at.next, used.charCodeAt(0), 1);
      const { bytes, next: start } = at;
      const [header] = at.found;
      if (header === undefined) return { format: { kind: "csv", delimiter: used, columns: [] }, start };
      if (header.cells > MAX_FIELDS) throw new StepwellError("invalid", TOO_MANY_COLUMNS);
      if (header.hasNul) throw new StepwellError("invalid", `The header ${HAS_NUL}`);
      const [cells = []] = await parseCells([bytes.subarray(header.start, header.end)], used);
      const columns = given === null ? columnsOf(cells) : givenColumns(cells, given);
      return { format: { kind: "csv", delimiter: used, columns }, start };
    },

    async read(format, position, most) {
      const delimiter = format.kind === "csv" ? format.delimiter.charCodeAt(0) : null;
      const { bytes, found, next, isLast } = await rowsAt(position, delimiter, most);
      if (format.kind === "jsonl" && position.byte === 0) refuseOther(bytes, "jsonl");
      const lineOf = (row: FoundRow) => position.line + row.line + 1;
      if (format.kind === "jsonl") {
        const decoder = new TextDecoder();
        const textOf = ({ start, end }: FoundRow) => decoder.decode(bytes.subarray(start, end));
        return { rows: found.map((row) => ({ line: lineOf(row), content: textOf(row) })), next, isLast };
      }
      const { columns } = format;
      const problems = found.map((row) => problemOf(row, columns.length));
      const valid = found.filter((_, index) => problems[index] === null);
      const texts = valid.map(({ start, end }) => bytes.subarray(start, end));
      const cells = (await parseCells(texts, format.delimiter)).values();
      const rows = found.map((row, index) => {
        const problem = problems[index] ?? null;
        return { line: lineOf(row), content: problem ?? cells.next().value ?? [] };
      });
      return { rows, next, isLast };
    },
  };
}

const INSTEAD: Readonly<Record<WrongText, string>> = {
  binary: "The body is not text, so it is neither CSV nor JSON Lines.",
  json: "The body is JSON, not CSV. Send it as application/x-ndjson, with one record on each line.",
  array: "The body is a JSON array. Send application/x-ndjson with one record on each line.",
};

function refuseOther(head: Uint8Array, format: TransferFormat): void {
  const found = wrongText(head, format);
  if (found !== null) throw new StepwellError("invalid", INSTEAD[found]);
}

/** The cells of whole rows. */
async function parseCells(rows: readonly Uint8Array[], delimiter: Delimiter): Promise<readonly (readonly string[])[]> {
  if (rows.length === 0) return [];
  const { parse } = await import("csv-parse/sync");
  // The rows have been split by their bytes, so none is removed: the first one may begin with a byte order mark.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const text = decoder.decode(concatBytes(rows.flatMap((row) => [row, LINE_END])));
  const options = { delimiter, relax_quotes: true, relax_column_count: true, record_delimiter: ["\r\n", "\n", "\r"] };
  const found: string[][] = parse(text, options);
  if (found.length !== rows.length) throw new Error(`the rows of an import were read as ${found.length} rows`);
  return found;
}

function problemOf({ cells, hasNul }: FoundRow, columns: number): StepwellError | null {
  if (hasNul) return new StepwellError("malformed", `The row ${HAS_NUL}`);
  if (cells === columns) return null;
  const message = `The row has ${cells} ${cells === 1 ? "cell" : "cells"}, but the header has ${columns}.`;
  return new StepwellError("malformed", message);
}

function noEnd({ open, lines }: FoundRows, position: RowPosition, isEnd: boolean): StepwellError {
  const line = position.line + lines + 1;
  const limit = `The row that starts at line ${line} exceeds the limit of ${MAX_ROW_BYTES / MEBIBYTE} MiB.`;
  if (open?.isQuoted !== true) return new StepwellError("invalid", limit);
  const quote = isEnd
    ? `The row that starts at line ${line} has an unclosed quote.`
    : `${limit} A quote may be unclosed.`;
  return new StepwellError("invalid", quote);
}

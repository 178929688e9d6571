/** The rows of CSV with their cells, in the browser. Pure. */
import type { Delimiter } from "../../../../src/collections/transfer/csv-header.ts";
import { type FoundRow, findRows } from "../../../../src/collections/transfer/row-splitter.ts";

export interface CsvRows {
  readonly rows: readonly CsvRow[];
  /** Whether a quote after them has no end. */
  readonly isQuoteOpen: boolean;
}

export interface CsvRow {
  readonly cells: readonly string[];
  /** Whether the server can read it, too, with the same cells. */
  readonly isSound: boolean;
}

/**
 * The rows at the beginning of CSV, without blank ones.
 * @param bytes In UTF-8.
 * @param isWhole Whether no more bytes follow. Otherwise the last row may be cut, and is left out.
 * @param most Number of rows to read.
 */
export function readRows(bytes: Uint8Array, delimiter: Delimiter, isWhole: boolean, most: number): CsvRows {
  const { rows, open } = findRows(bytes, delimiter.charCodeAt(0), most, isWhole);
  const textOf = ({ start, end }: FoundRow) => new TextDecoder().decode(bytes.subarray(start, end));
  return {
    rows: rows.map((row) => {
      const cells = cellsOf(textOf(row), delimiter);
      return { cells, isSound: cells.length === row.cells && !row.hasNul };
    }),
    isQuoteOpen: open?.isQuoted === true,
  };
}

const QUOTED = /"((?:[^"]|"")*)"/y;

/** The cells of a row (RFC 4180). */
function cellsOf(row: string, delimiter: string): readonly string[] {
  const cells: string[] = [];
  for (let at = 0; at <= row.length; at++) {
    QUOTED.lastIndex = at;
    const quoted = QUOTED.exec(row);
    const start = quoted === null ? at : QUOTED.lastIndex;
    const next = row.indexOf(delimiter, start);
    at = next === -1 ? row.length : next;
    cells.push((quoted?.[1] ?? "").replaceAll('""', '"') + row.slice(start, at));
  }
  return cells;
}

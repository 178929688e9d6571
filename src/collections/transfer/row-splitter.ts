/**
 * Finds the ends of rows in CSV (RFC 4180) or in lines of JSON, as the bytes arrive. A quote opens a quoted cell only at its
 * start; elsewhere it is text. Rows end with LF, CRLF or CR. Pure, in constant memory.
 */

/** A row, as offsets from the beginning of the scanned bytes. */
export interface FoundRow {
  readonly start: number;
  /** End without the line ending. */
  readonly end: number;
  /** Where the next row begins. */
  readonly next: number;
  /** Number of the first line, counted from 0. */
  readonly line: number;
  /** Number of cells. */
  readonly cells: number;
  readonly hasNul: boolean;
}

/** Where a scan has stopped. */
export interface FoundRows {
  readonly rows: readonly FoundRow[];
  /** The beginning of a row that has no end yet; undefined if there is none. */
  readonly open: { readonly isQuoted: boolean; readonly line: number } | undefined;
  /** The first byte that belongs to no row, and the number of lines before it. */
  readonly next: number;
  readonly lines: number;
}

const LF = 10;
const CR = 13;
const QUOTE = 34;

type State = "start" | "text" | "quoted" | "closed";

/**
 * The rows at the beginning of the bytes, without blank ones.
 * @param delimiter Byte between cells; null for lines without cells and quotes.
 * @param most Number of rows to find.
 * @param isEnd Whether no more bytes follow.
 */
export function findRows(bytes: Uint8Array, delimiter: number | null, most: number, isEnd: boolean): FoundRows {
  const rows: FoundRow[] = [];
  const size = bytes.length;
  let [start, line, firstLine, cells, hasNul] = [0, 0, 0, 1, false];
  let state: State = "start";

  for (let at = 0; at < size; at++) {
    const byte = bytes[at] ?? 0;
    if (byte > QUOTE && byte !== delimiter) {
      if (state !== "quoted") state = "text";
      continue;
    }
    if (byte === LF || byte === CR) {
      // The LF of a CRLF may not have arrived.
      if (byte === CR && at + 1 === size && !isEnd) break;
      const next = byte === CR && bytes[at + 1] === LF ? at + 2 : at + 1;
      line++;
      if (state === "quoted") {
        at = next - 1;
        continue;
      }
      if (at > start) rows.push({ start, end: at, next, line: firstLine, cells, hasNul });
      [start, firstLine, cells, hasNul] = [next, line, 1, false];
      state = "start";
      if (rows.length === most) return { rows, open: undefined, next, lines: line };
      at = next - 1;
    } else if (byte === 0) hasNul = true;
    else if (delimiter === null) continue;
    else if (byte === QUOTE) state = afterQuote(state);
    else if (state === "quoted") continue;
    else if (byte === delimiter) {
      cells++;
      state = "start";
    } else state = "text";
  }
  if (start === size) return { rows, open: undefined, next: start, lines: firstLine };
  if (!isEnd || state === "quoted") {
    return { rows, open: { isQuoted: state === "quoted", line: firstLine }, next: start, lines: firstLine };
  }
  rows.push({ start, end: size, next: size, line: firstLine, cells, hasNul });
  return { rows, open: undefined, next: size, lines: line + 1 };
}

/** A second quote in a row is one quote of the text. */
function afterQuote(state: State): State {
  switch (state) {
    case "start":
    case "closed":
      return "quoted";
    case "quoted":
      return "closed";
    case "text":
      return "text";
  }
}

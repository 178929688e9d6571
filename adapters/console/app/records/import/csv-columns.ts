/** The columns of a CSV file, read in the browser before the file is uploaded. Pure. */
import { unguarded } from "../../../../../src/collections/transfer/cells.ts";
import { detectDelimiter } from "../../../../../src/collections/transfer/csv-header.ts";
import { toUtf8 } from "../../../../../src/collections/transfer/read-charset.ts";
import { type FoundRow, findRows } from "../../../../../src/collections/transfer/row-splitter.ts";
import { concatBytes } from "../../../../../src/encoding/bytes.ts";
import { isStepwellError } from "../../../../../src/errors.ts";

/** Bytes that are read. A longer header is left to the server. */
const HEAD_BYTES = 65_536;

export interface CsvColumn {
  /** Its name in the header. */
  readonly name: string;
  /** Its cell in the first row. */
  readonly sample: string;
}

/** The columns that the header names; null for a text without one, and for a header that only the server can read. */
export async function readCsvColumns(file: Blob): Promise<readonly CsvColumn[] | null> {
  const bytes = await headOf(file);
  const delimiter = detectDelimiter(bytes);
  const [header, first] = findRows(bytes, delimiter.charCodeAt(0), 2, file.size <= HEAD_BYTES).rows;
  if (header === undefined) return null;
  const textOf = ({ start, end }: FoundRow) => new TextDecoder().decode(bytes.subarray(start, end));
  const names = cellsOf(textOf(header), delimiter);
  if (names.length !== header.cells || header.hasNul) return null;
  const samples = first === undefined ? [] : cellsOf(textOf(first), delimiter);
  return names.map((name, index) => ({ name: unguarded(name).trim(), sample: samples[index] ?? "" }));
}

/** The beginning of the file in UTF-8, in whatever encoding it is, as the server will read it. */
async function headOf(file: Blob): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of toUtf8(startOf(file), undefined)) pieces.push(piece);
  } catch (error) {
    // The last character may be cut.
    if (!isStepwellError(error)) throw error;
  }
  return concatBytes(pieces);
}

async function* startOf(file: Blob): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
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

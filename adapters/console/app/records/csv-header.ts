/** The header of CSV: an example for a collection, and what is wrong with that of a file, before it is uploaded. Pure. */
import type { CollectionRecord } from "../../../../src/collections/records/record.ts";
import { columnsOf, detectDelimiter } from "../../../../src/collections/transfer/csv-header.ts";
import { findRows } from "../../../../src/collections/transfer/row-splitter.ts";
import { isStepwellError } from "../../../../src/errors.ts";
import { cellText, fieldsOf } from "./record-fields.ts";

const MAX_EXAMPLE_COLUMNS = 5;
/** Longer headers are left to the server. */
const HEADER_BYTES = 65_536;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
/** Fields of a collection of which nothing is known. */
const ANY_FIELDS = ["customer:name", "customer:age"];
const ANY_VALUES = ["Ada Lovelace", "36"];

/** Two lines: the header with the fields of a collection, and a row with the values of its first record. */
export function exampleCsv(named: readonly string[], records: readonly CollectionRecord[]): string {
  const [first] = records;
  const known = [...new Set([...fieldsOf(records), ...named])].slice(0, MAX_EXAMPLE_COLUMNS);
  const fields = known.length === 0 ? ANY_FIELDS : known;
  const values =
    known.length === 0 ? ANY_VALUES : fields.map((field) => (first === undefined ? "…" : cellText(first, field)));
  return [fields, values].map((cells) => cells.map(quoted).join(",")).join("\n");
}

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** What the server would say of the header; null for a right one, and for one that only the server can read. */
export async function headerProblem(file: Blob): Promise<string | null> {
  const read = new Uint8Array(await file.slice(0, HEADER_BYTES).arrayBuffer());
  const bytes = BYTE_ORDER_MARK.every((byte, index) => read[index] === byte) ? read.subarray(3) : read;
  const delimiter = detectDelimiter(bytes);
  const [row] = findRows(bytes, delimiter.charCodeAt(0), 1, file.size <= HEADER_BYTES).rows;
  if (row === undefined) return null;
  const text = new TextDecoder().decode(bytes.subarray(row.start, row.end));
  const cells = text.split(delimiter).map((cell) => /^"([^"]*)"$/.exec(cell)?.[1] ?? cell);
  // Another charset, or quotes within a cell.
  if (/["\0\ufffd]/.test(cells.join(""))) return null;
  try {
    columnsOf(cells);
    return null;
  } catch (error) {
    if (isStepwellError(error)) return error.message;
    throw error;
  }
}

/** The columns of a CSV file, read in the browser before the file is uploaded. Pure. */
import { unguarded } from "../../../../../src/collections/transfer/cells.ts";
import { detectDelimiter } from "../../../../../src/collections/transfer/csv-header.ts";
import type { TransferFormat } from "../../../../../src/collections/transfer/import-query.ts";
import { wrongText } from "../../../../../src/collections/transfer/wrong-text.ts";
import { readRows } from "../../previews/csv-rows.ts";
import { HEAD_BYTES, headInUtf8 } from "../../previews/text-head.ts";

export interface CsvColumn {
  /** Its name in the header. */
  readonly name: string;
  /** Its cell in the first row. */
  readonly sample: string;
}

/** Whether a file is neither CSV nor lines of JSON, as the server would say, too. */
export async function isOtherText(file: Blob, format: TransferFormat): Promise<boolean> {
  return wrongText(await headOf(file), format) !== null;
}

const headOf = async (file: Blob): Promise<Uint8Array> =>
  headInUtf8(new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()));

/** The columns that the header names; null for a text without one, and for a header that only the server can read. */
export async function readCsvColumns(file: Blob): Promise<readonly CsvColumn[] | null> {
  const bytes = await headOf(file);
  const [header, first] = readRows(bytes, detectDelimiter(bytes), file.size <= HEAD_BYTES, 2).rows;
  if (header === undefined || !header.isSound) return null;
  return header.cells.map((name, index) => ({ name: unguarded(name).trim(), sample: first?.cells[index] ?? "" }));
}

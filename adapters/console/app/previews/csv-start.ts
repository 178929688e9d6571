/** The start of CSV or TSV as a table. Pure. */
import { detectDelimiter } from "../../../../src/collections/transfer/csv-header.ts";
import { readRows } from "./csv-rows.ts";

export interface CsvStart {
  readonly header: readonly string[];
  /** They may have fewer or more cells than the header. */
  readonly rows: readonly (readonly string[])[];
  readonly hasMoreRows: boolean;
  /** Number of columns that the rows have, of which only the first ones have cells here. */
  readonly columns: number;
}

export const MAX_ROWS = 200;
export const MAX_COLUMNS = 50;

const TSV = "text/tab-separated-values";

export const isTable = (mimeType: string): boolean => mimeType === "text/csv" || mimeType === TSV;

/**
 * The table of a text; null for one that is none.
 * @param isWhole Whether the text is complete. Otherwise its last row may be cut, and is left out.
 */
export function csvStart(text: string, mimeType: string, isWhole: boolean): CsvStart | null {
  const bytes = new TextEncoder().encode(text);
  const delimiter = mimeType === TSV ? "\t" : detectDelimiter(bytes);
  const { rows: found, isQuoteOpen } = readRows(bytes, delimiter, isWhole, MAX_ROWS + 2);
  const [header, ...rows] = found;
  if (header === undefined || (rows.length === 0 && !isWhole)) return null;
  if ((isWhole && isQuoteOpen) || found.some(({ isSound }) => !isSound)) return null;
  const shown = rows.slice(0, MAX_ROWS).map(({ cells }) => cells);
  return {
    header: header.cells.slice(0, MAX_COLUMNS),
    rows: shown.map((cells) => cells.slice(0, MAX_COLUMNS)),
    hasMoreRows: !isWhole || rows.length > shown.length,
    columns: shown.reduce((most, { length }) => Math.max(most, length), header.cells.length),
  };
}

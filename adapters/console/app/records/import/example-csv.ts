/** An example of CSV for a collection. Pure. */
import type { CollectionRecord } from "../../../../../src/collections/records/record.ts";
import { cellText } from "../record-fields.ts";

const MAX_COLUMNS = 5;
/** Fields of a collection of which nothing is known. */
const ANY_FIELDS = ["customer:name", "customer:age"];
const ANY_VALUES = ["Ada Lovelace", "36"];

/**
 * Two lines: the header with the fields of a collection, and a row with the values of its first record.
 * @param known The fields of the collection.
 */
export function exampleCsv(known: readonly string[], [first]: readonly CollectionRecord[]): string {
  const isAnyKnown = known.length > 0;
  const fields = isAnyKnown ? known.slice(0, MAX_COLUMNS) : ANY_FIELDS;
  const values = isAnyKnown ? fields.map((field) => (first === undefined ? "…" : cellText(first, field))) : ANY_VALUES;
  return [fields, values].map((cells) => cells.map(quoted).join(",")).join("\n");
}

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

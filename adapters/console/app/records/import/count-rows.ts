/** The number of rows in the file of an import, so that its progress has an end. Pure. */
import { detectDelimiter } from "../../../../../src/collections/transfer/csv-header.ts";
import type { TransferFormat } from "../../../../../src/collections/transfer/import-query.ts";
import { findRows } from "../../../../../src/collections/transfer/row-splitter.ts";
import { HEAD_BYTES } from "../../previews/text-head.ts";

/** Rows that are found at a time: all at once would need more memory than their bytes. */
const ROWS_AT_ONCE = 10_000;

/** @returns Null for a text whose rows only the server can find, as it is in another encoding. */
export function countRows(bytes: Uint8Array, format: TransferFormat): number | null {
  const head = bytes.subarray(0, HEAD_BYTES);
  if (head.includes(0)) return null;
  const delimiter = format === "csv" ? detectDelimiter(head).charCodeAt(0) : null;
  let count = 0;
  for (let rest = bytes; rest.length > 0; ) {
    const { rows, next } = findRows(rest, delimiter, ROWS_AT_ONCE, true);
    if (next === 0) break;
    count += rows.length;
    rest = rest.subarray(next);
  }
  return format === "csv" ? Math.max(0, count - 1) : count;
}

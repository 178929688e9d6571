/**
 * The rows of a document as stored with it. Rows in several lists that are the same are stored once, without the ID if it is
 * the end of the document's key. Pure.
 */
import { isRecord } from "../../json.ts";
import type { Row } from "../../ports/store.ts";
import type { ListedRow } from "../commits/document-rows.ts";

/** The names of lists, and the row that they have. */
export type StoredRow = readonly [lists: readonly string[], row: Partial<Row>];

/** @returns JSON. */
export function formatRows(key: string, rows: readonly ListedRow[]): string {
  const listsOf = new Map<string, string[]>();
  for (const { list, put } of rows) {
    const row = JSON.stringify(put.id === idOf(key) ? { ...put, id: undefined } : put);
    const lists = listsOf.get(row);
    if (lists === undefined) listsOf.set(row, [list]);
    else lists.push(list);
  }
  return `[${[...listsOf].map(([row, lists]) => `[${JSON.stringify(lists)},${row}]`).join()}]`;
}

export function parseRows(key: string, stored: readonly StoredRow[]): readonly ListedRow[] {
  return stored.flatMap(([lists, row]) => {
    const put = { ...row, id: row.id ?? idOf(key) };
    return lists.map((list) => ({ list, put }));
  });
}

/** The checksum proves that the value is intact. This checks that it is rows. */
export function areStoredRows(value: unknown): value is readonly StoredRow[] {
  return Array.isArray(value) && value.every((row) => Array.isArray(row) && Array.isArray(row[0]) && isRecord(row[1]));
}

const idOf = (key: string): string => key.slice(key.indexOf(":") + 1);

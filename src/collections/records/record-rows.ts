/** The rows with which records are found in lists: by text, tags and field values. */

import { foldText } from "../../documents/pagination.ts";
import { isRecord, type JsonValue } from "../../json.ts";
import type { Hash } from "../../ports/hash.ts";
import type { Change, Key, RowChange, Store } from "../../ports/store.ts";
import { isPending, type RecordData, type RecordDocument } from "./record.ts";

/** Records with pending rules, which resume when a process starts. */
export const EVALUATING_LIST = "records.evaluating";

/** Characters of a record that searches cover. Rows are in memory. */
const MAX_SEARCH_CHARS = 2_048;
/** Longer values cannot be looked up. */
const MAX_KEY_CHARS = 1_024;
/** Characters of a value's digest. A few records share one, which keeps the index small. */
const DIGEST_CHARS = 5;

export const recordKey = (recordId: string): Key => `record:${recordId}`;
export const recordsOf = (collectionId: string) => `records.${collectionId}`;

/** The number of records in a collection. */
export async function countRecords(store: Store, collectionId: string): Promise<number> {
  return (await store.list(recordsOf(collectionId), { limit: 0 })).total ?? 0;
}

/** The mark of all records with this value in this field, and of a few others. */
export function valueMark(entity: string, field: string, value: string | number | boolean, hash: Hash): string {
  return `value:${hash.sha256(JSON.stringify([entity, field, value])).slice(0, DIGEST_CHARS)}`;
}

function valueMarks(data: RecordData, hash: Hash): string[] {
  return Object.entries(data).flatMap(([entity, fields]) =>
    Object.entries(fields).flatMap(([field, value]) =>
      isKeyValue(value) ? [valueMark(entity, field, value, hash)] : [],
    ),
  );
}

function isKeyValue(value: JsonValue): value is string | number | boolean {
  return typeof value === "string"
    ? value.length <= MAX_KEY_CHARS
    : typeof value === "number" || value === true || value === false;
}

/** The strings and numbers of a record that searches cover, one per line. */
export function searchText(data: RecordData): string {
  let text = "";
  const open: JsonValue[] = Object.values(data)
    .flatMap((fields) => Object.values(fields))
    .reverse();
  for (let value = open.pop(); value !== undefined && text.length < MAX_SEARCH_CHARS; value = open.pop()) {
    // Each value adds at least one character, so further items cannot matter.
    if (Array.isArray(value)) for (const item of value.slice(0, MAX_SEARCH_CHARS).reverse()) open.push(item);
    else if (isRecord(value))
      for (const item of Object.values(value).slice(0, MAX_SEARCH_CHARS).reverse()) open.push(item);
    // Folded text contains no line breaks, so a search cannot match across two values.
    else if (typeof value === "string") text += `${foldText(value.slice(0, MAX_SEARCH_CHARS))}\n`;
    else if (typeof value === "number") text += `${value}\n`;
  }
  return text.slice(0, MAX_SEARCH_CHARS);
}

/** The row changes to commit with a record. @param before The record before the write; null for a new one. */
export function rowsOf(document: RecordDocument, before: RecordDocument | null, hash: Hash): RowChange[] {
  const { id, collection_id, data, tags } = document;
  const marks = [...tags.map((tag) => `tag:${tag}`), ...new Set(valueMarks(data, hash))];
  const put = { list: recordsOf(collection_id), put: { id, text: searchText(data), marks } };
  const isEvaluated = isPending(document) || (before !== null && isPending(before));
  return isEvaluated ? [put, evaluatingRow(document)] : [put];
}

/** The row change to commit when results have changed. */
export function evaluatingRow(document: RecordDocument): RowChange {
  const { id } = document;
  return isPending(document) ? { list: EVALUATING_LIST, put: { id } } : { list: EVALUATING_LIST, delete: id };
}

/** @param others Rows in further lists. */
export function deleteRecord(
  { id, collection_id }: RecordDocument,
  version: number,
  others: readonly RowChange[],
): Change {
  const rows: RowChange[] = [
    { list: recordsOf(collection_id), delete: id },
    { list: EVALUATING_LIST, delete: id },
    ...others,
  ];
  return { key: recordKey(id), document: null, expected: version, rows };
}

/** Where records are listed, and what they are found by: text, tags, and the value of a field. */

import { foldText } from "../../documents/pagination.ts";
import { isRecord, type JsonValue } from "../../json.ts";
import type { Hash } from "../../ports/hash.ts";
import type { Change, Key, RowChange, Store } from "../../ports/store.ts";
import { isPending, type RecordData, type RecordDocument } from "./record.ts";

/** Records of which rules have not answered yet: taken up again when a process starts. */
export const EVALUATING_LIST = "records.evaluating";

/** Characters of a record that a search looks into; rows are in memory. */
const MAX_SEARCH_CHARS = 2_048;
/** Values that are longer are no one's key. */
const MAX_KEY_CHARS = 1_024;
/** Letters of the digest of a value: a few records share one, so an index of them stays small. */
const DIGEST_CHARS = 5;

export const recordKey = (recordId: string): Key => `record:${recordId}`;
export const recordsOf = (collectionId: string) => `records.${collectionId}`;

/** How many records a collection has. */
export async function countRecords(store: Store, collectionId: string): Promise<number> {
  return (await store.list(recordsOf(collectionId), { limit: 1 })).total ?? 0;
}

/** The mark of every record that has this value in this field, and of a few others. */
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

/** The texts and numbers of a record, a line each, as far as a search looks. */
export function searchText(data: RecordData): string {
  let text = "";
  const open: JsonValue[] = Object.values(data)
    .flatMap((fields) => Object.values(fields))
    .reverse();
  for (let value = open.pop(); value !== undefined && text.length < MAX_SEARCH_CHARS; value = open.pop()) {
    // Each value has at least a character: more of them than a search looks into need no look.
    if (Array.isArray(value)) for (const item of value.slice(0, MAX_SEARCH_CHARS).reverse()) open.push(item);
    else if (isRecord(value))
      for (const item of Object.values(value).slice(0, MAX_SEARCH_CHARS).reverse()) open.push(item);
    // A line break, which nothing folded holds, keeps a search from matching across two values.
    else if (typeof value === "string") text += `${foldText(value.slice(0, MAX_SEARCH_CHARS))}\n`;
    else if (typeof value === "number") text += `${value}\n`;
  }
  return text.slice(0, MAX_SEARCH_CHARS);
}

/** The rows that go with a record as it is written. @param before What it was, where it is not new. */
export function rowsOf(document: RecordDocument, before: RecordDocument | null, hash: Hash): RowChange[] {
  const { id, collection_id, data, tags } = document;
  const marks = [...tags.map((tag) => `tag:${tag}`), ...new Set(valueMarks(data, hash))];
  const put = { list: recordsOf(collection_id), put: { id, text: searchText(data), marks } };
  const isEvaluated = isPending(document) || (before !== null && isPending(before));
  return isEvaluated ? [put, evaluatingRow(document)] : [put];
}

/** The row of a record whose results have changed. */
export function evaluatingRow(document: RecordDocument): RowChange {
  const { id } = document;
  return isPending(document) ? { list: EVALUATING_LIST, put: { id } } : { list: EVALUATING_LIST, take: id };
}

export function deleteRecord({ id, collection_id }: RecordDocument, version: number): Change {
  const rows: RowChange[] = [
    { list: recordsOf(collection_id), take: id },
    { list: EVALUATING_LIST, take: id },
  ];
  return { key: recordKey(id), document: null, expected: version, rows };
}

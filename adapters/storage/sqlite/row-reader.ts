/** Reads the rows of all lists with the documents to which they belong. */
import type { ContentRow, RowPlace } from "../../../src/ports/store-contents.ts";
import { isKey } from "../../../src/storage/keys.ts";
import type { Database, SqlRow } from "./database.ts";
import type { ListTable } from "./lists.ts";
import { givenMark } from "./row-text.ts";

export interface RowReader {
  /** The rows behind a place, in the order in which the lists were created. Empty at the end. */
  page(after: RowPlace | null): readonly ContentRow[];
}

const MAX_ROWS = 500;

export function createRowReader(database: Database, lists: ListTable): RowReader {
  const select = database.prepare(
    `SELECT l.name, e.ord, e.id, e.marks, e.text, d.key FROM entry e
    JOIN list l ON l.n = e.list LEFT JOIN document d ON d.n = e.document
    WHERE (e.list, e.ord, e.id) > (?, ?, ?) ORDER BY e.list, e.ord, e.id LIMIT ${MAX_ROWS}`,
  );
  return {
    page: (after) =>
      select.all(after === null ? 0 : (lists.find(after.list)?.n ?? 0), after?.order ?? "", after?.id ?? "").map(rowOf),
  };
}

function rowOf({ name, ord, id, marks, text, key }: SqlRow): ContentRow {
  const given: unknown = typeof marks === "string" ? JSON.parse(marks) : [];
  const row = {
    id: String(id),
    order: ord === id ? undefined : String(ord),
    text: typeof text === "string" && text !== "" ? text : undefined,
    marks: Array.isArray(given) && given.length > 0 ? given.map(String).map(givenMark) : undefined,
  };
  return { list: String(name), row, document: typeof key === "string" && isKey(key) ? key : null };
}

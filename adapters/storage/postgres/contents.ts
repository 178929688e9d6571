/** Reads and writes everything that a store contains. */
import type { ContentRow, RowPlace, StoreContents } from "../../../src/ports/store-contents.ts";
import { contentChanges } from "../../../src/storage/commits/content-changes.ts";
import type { PreparedChanges } from "../../../src/storage/commits/prepare-changes.ts";
import { isKey } from "../../../src/storage/keys.ts";
import type { SqlRow } from "./client.ts";
import type { Read } from "./list-reader.ts";
import { escapeText, unescapeMarks, unescapeText } from "./row-text.ts";

const MAX_DOCUMENTS = 100;
const MAX_ROWS = 500;

/**
 * @param read Reads once the store is open.
 * @param commit Stores changes as any other commit.
 */
export function createContents(read: Read, commit: (changes: PreparedChanges) => Promise<void>): StoreContents {
  return {
    hasRowsInDocuments: false,

    async *documents(after) {
      const text = `SELECT key, version, json FROM {document} WHERE key > $1 ORDER BY key LIMIT ${MAX_DOCUMENTS}`;
      for (let last = after ?? ""; ; ) {
        const found = await read({ text, values: [last] });
        if (found.length === 0) return;
        last = String(found.at(-1)?.["key"]);
        yield found.flatMap((row) => {
          const key = String(row["key"]);
          const document: object = JSON.parse(String(row["json"]));
          return isKey(key) ? [{ key, version: Number(row["version"]), document }] : [];
        });
      }
    },

    async *rows(after) {
      const text = `SELECT list, ord, id, text, array_to_json(marks)::text AS marks, document, long_marks
        FROM {entry} WHERE (list, ord, id) > ($1, $2, $3) ORDER BY list, ord, id LIMIT ${MAX_ROWS}`;
      for (let last = after; ; ) {
        const found = (await read({ text, values: valuesOf(last) })).map(rowOf);
        const end = found.at(-1);
        if (end === undefined) return;
        last = { list: end.list, order: end.row.order ?? end.row.id, id: end.row.id };
        yield found;
      }
    },

    write: (writes, derived) => commit(contentChanges(writes, derived)),
  };
}

const valuesOf = (place: RowPlace | null) =>
  place === null ? ["", "", ""] : [place.list, escapeText(place.order), escapeText(place.id)];

function rowOf({ list, ord, id, text, marks, document, long_marks: long }: SqlRow): ContentRow {
  const given = unescapeMarks(textsIn(marks), textsIn(long));
  const row = {
    id: unescapeText(String(id)),
    order: ord === id ? undefined : unescapeText(String(ord)),
    text: typeof text === "string" ? text : undefined,
    marks: given.length > 0 ? given : undefined,
  };
  return {
    list: String(list),
    row,
    document: typeof document === "string" && isKey(document) ? document : null,
  };
}

function textsIn(json: unknown): readonly string[] {
  const texts: unknown = typeof json === "string" ? JSON.parse(json) : [];
  return Array.isArray(texts) ? texts.map(String) : [];
}

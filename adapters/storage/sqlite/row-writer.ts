/** Writes rows of lists, their marks and their texts. */
import type { Row } from "../../../src/ports/store.ts";
import { updateTotals } from "../../../src/storage/lists/combined-totals.ts";
import type { Database, SqlRow } from "./database.ts";
import type { ListInfo, ListTable } from "./lists.ts";
import { storedMark, storedText } from "./row-text.ts";
import { wordOfList } from "./text-search.ts";

export interface RowWriter {
  /** @param document The number of the document to which the row belongs. Null in a derived list. */
  put(list: string, row: Row, document: number | null): void;
  /** Does nothing if there is no such row. */
  delete(list: string, id: string): void;
}

interface Entry {
  readonly order: string;
  readonly marks: ReadonlySet<string>;
  /** Null if a search cannot find the row. */
  readonly text: string | null;
}

export function createRowWriter(database: Database, lists: ListTable): RowWriter {
  const select = database.prepare("SELECT n, ord, marks, text FROM entry WHERE list = ? AND id = ?");
  const insert = database.prepare("INSERT INTO entry (list, id, ord, document, marks, text) VALUES (?, ?, ?, ?, ?, ?)");
  const update = database.prepare("UPDATE entry SET ord = ?, document = ?, marks = ?, text = ? WHERE n = ?");
  const remove = database.prepare("DELETE FROM entry WHERE n = ?");
  const insertMark = database.prepare("INSERT INTO mark VALUES (?, ?, ?, ?)");
  const removeMark = database.prepare("DELETE FROM mark WHERE list = ? AND mark = ? AND ord = ? AND id = ?");
  const lastNumber = database.prepare("SELECT last_insert_rowid() AS n");
  const insertText = database.prepare("INSERT INTO search (rowid, list, text) VALUES (?, ?, ?)");
  const removeText = database.prepare("DELETE FROM search WHERE rowid = ?");

  /** Replaces the marks of a row, of which most stay when a row keeps its place. */
  function writeMarks(list: ListInfo, id: string, before: Entry | null, after: Entry | null): void {
    const hasMoved = before?.order !== after?.order;
    for (const mark of before?.marks ?? []) {
      if (!hasMoved && after?.marks.has(mark)) continue;
      removeMark.run(list.n, mark, before?.order ?? id, id);
      lists.addMark(list, mark, -1);
    }
    for (const mark of after?.marks ?? []) {
      if (!hasMoved && before?.marks.has(mark)) continue;
      insertMark.run(list.n, mark, after?.order ?? id, id);
      lists.addMark(list, mark, 1);
    }
    updateTotals(list.totals, before?.marks ?? null, after?.marks ?? null);
  }

  function writeText(list: ListInfo, n: number, before: string | null, after: string | null): void {
    if (before === after) return;
    if (before !== null) removeText.run(n);
    if (after !== null) insertText.run(n, wordOfList(list.n), after);
  }

  return {
    put(listName, row, document) {
      const list = lists.findOrCreate(listName);
      const after = entryOf(row);
      const { order, marks, text } = after;
      const json = marks.size === 0 ? null : JSON.stringify([...marks]);
      const found = select.get(list.n, row.id);
      if (found === undefined || found === null) {
        insert.run(list.n, row.id, order, document, json, text);
        if (text !== null) writeText(list, Number(lastNumber.get()?.["n"]), null, text);
        lists.addRows(list, 1);
        writeMarks(list, row.id, null, after);
        return;
      }
      const n = Number(found["n"]);
      const before = entryIn(found);
      writeMarks(list, row.id, before, after);
      writeText(list, n, before.text, text);
      update.run(order, document, json, text, n);
    },

    delete(listName, id) {
      const list = lists.find(listName);
      const found = list && select.get(list.n, id);
      if (list === undefined || found === undefined || found === null) return;
      const n = Number(found["n"]);
      const before = entryIn(found);
      writeMarks(list, id, before, null);
      writeText(list, n, before.text, null);
      remove.run(n);
      lists.addRows(list, -1);
    },
  };
}

function entryOf({ id, order = id, marks = [], text }: Row): Entry {
  return { order, marks: new Set(marks.map(storedMark)), text: text === undefined ? null : storedText(text) };
}

function entryIn({ ord, marks, text }: SqlRow): Entry {
  const list: unknown = typeof marks === "string" ? JSON.parse(marks) : [];
  return {
    order: String(ord),
    marks: new Set(Array.isArray(list) ? list.map(String) : []),
    text: typeof text === "string" ? text : null,
  };
}

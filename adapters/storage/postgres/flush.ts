/** A flush: commits that are stored in one transaction, as the arrays that `store_flush` takes. */

import type { RowChange } from "../../../src/ports/store.ts";
import { isPut } from "../../../src/storage/commits/document-rows.ts";
import type { PreparedChanges } from "../../../src/storage/commits/prepare-changes.ts";
import { escapeMark, escapeText, longMarksOf, SEPARATOR, searchableText } from "./row-text.ts";

/** An expectation that was not met. */
export interface Conflict {
  /** Index of the commit in its flush. */
  readonly commit: number;
  readonly key: string;
  /** The current version, or null if there is no document. */
  readonly version: number | null;
}

/** All texts are qualified with the schema by `flushStatement`. */
export function flushStatement(schema: string): string {
  const types = [
    ...["bigint", "bigint"],
    ...["integer[]", "text[]", "integer[]"],
    ...["integer[]", "text[]", "integer[]", "text[]"],
    ...["integer[]", "text[]", "text[]", "text[]", "text[]", "text[]", "text[]", "text[]"],
  ];
  return `SELECT "${schema}".store_flush(${types.map((type, at) => `$${at + 1}::${type}`).join(", ")}) AS answer`;
}

/** The parameters behind generation and number. */
export function flushValues(commits: readonly PreparedChanges[]): readonly unknown[] {
  const expected = { commit: [] as number[], key: [] as string[], version: [] as (number | null)[] };
  const written = {
    commit: [] as number[],
    key: [] as string[],
    version: [] as (number | null)[],
    json: [] as (string | null)[],
  };
  const rows = createRows();
  for (const [commit, { expectations, writes, derived }] of commits.entries()) {
    for (const expectation of expectations) {
      expected.commit.push(commit);
      expected.key.push(expectation.key);
      expected.version.push(expectation.expected);
    }
    for (const write of writes) {
      written.commit.push(commit);
      written.key.push(write.key);
      written.version.push(write.version);
      written.json.push(write.version === null ? null : write.json);
      for (const row of write.rows) rows.add(commit, row, write.key);
    }
    for (const row of derived) rows.add(commit, row, null);
  }
  return [...Object.values(expected), ...Object.values(written), ...rows.values];
}

function createRows() {
  const commits: number[] = [];
  const lists: string[] = [];
  const ids: string[] = [];
  const orders: (string | null)[] = [];
  const texts: (string | null)[] = [];
  const marks: (string | null)[] = [];
  const documents: (string | null)[] = [];
  const longMarks: (string | null)[] = [];
  return {
    values: [commits, lists, ids, orders, texts, marks, documents, longMarks],
    /** @param document Key of the document to which the row belongs. Null in a derived list. */
    add(commit: number, change: RowChange, document: string | null): void {
      commits.push(commit);
      lists.push(change.list);
      if (!isPut(change)) {
        ids.push(escapeText(change.delete));
        for (const column of [orders, texts, marks, documents, longMarks]) column.push(null);
        return;
      }
      const { id, order = id, text = "", marks: given = [] } = change.put;
      ids.push(escapeText(id));
      orders.push(escapeText(order));
      texts.push(text === "" ? null : searchableText(text));
      marks.push(given.length === 0 ? null : [...new Set(given.map(escapeMark))].join(SEPARATOR));
      documents.push(document);
      longMarks.push(longMarksOf(given));
    },
  };
}

export function parseConflicts(answer: string): readonly Conflict[] {
  const conflicts: unknown = JSON.parse(answer);
  if (!Array.isArray(conflicts)) return [];
  return conflicts.map(([commit, key, version]) => ({
    commit: Number(commit),
    key: String(key),
    version: version === null ? null : Number(version),
  }));
}

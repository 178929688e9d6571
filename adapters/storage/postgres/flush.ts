/** A flush: commits that are stored in one transaction, as the arrays that the functions in the database take. */

import type { RowChange } from "../../../src/ports/store.ts";
import { isPut } from "../../../src/storage/commits/document-rows.ts";
import type { DocumentWrite, Expectation, PreparedChanges } from "../../../src/storage/commits/prepare-changes.ts";
import { escapeMark, escapeText, longMarksOf, SEPARATOR, searchableText } from "./row-text.ts";

/** An expectation that was not met. */
export interface Conflict {
  /** Index of the commit in its flush. */
  readonly commit: number;
  readonly key: string;
  /** The current version, or null if there is no document. */
  readonly version: number | null;
}

const EXPECTED = ["integer[]", "text[]", "integer[]"];
const WRITTEN = ["integer[]", "text[]", "integer[]", "text[]"];
const ROWS = ["integer[]", "text[]", "text[]", "text[]", "text[]", "text[]", "text[]", "text[]"];

/** How flushes are sent to a function in the database. */
export interface FlushCall {
  /** Returns the conflicts as `answer`. */
  readonly statement: string;
  /** The parameters behind the fence's name and the number. */
  values(commits: readonly PreparedChanges[]): readonly unknown[];
}

/** @param isShared Whether other processes store flushes at the same time. */
export function createFlushCall(schema: string, isShared: boolean): FlushCall {
  const call = (name: string, types: readonly string[]) =>
    `SELECT "${schema}".${name}(${types.map((type, at) => `$${at + 1}::${type}`).join(", ")}) AS answer`;
  return isShared
    ? {
        statement: call(
          "store_flush_shared",
          ["text", "bigint", "text[]", "integer[]", EXPECTED, WRITTEN, WRITTEN, ROWS].flat(),
        ),
        values: sharedFlushValues,
      }
    : { statement: call("store_flush", ["bigint", "bigint", EXPECTED, WRITTEN, ROWS].flat()), values: flushValues };
}

interface Expected {
  readonly commit: number[];
  readonly key: string[];
  readonly version: (number | null)[];
}

interface Written extends Expected {
  readonly json: (string | null)[];
}

const noneExpected = (): Expected => ({ commit: [], key: [], version: [] });
const noneWritten = (): Written => ({ ...noneExpected(), json: [] });

function flushValues(commits: readonly PreparedChanges[]): readonly unknown[] {
  const expected = noneExpected();
  const written = noneWritten();
  const rows = createRows();
  for (const [commit, { expectations, writes, derived }] of commits.entries()) {
    for (const expectation of expectations) {
      addExpected(expected, commit, expectation);
    }
    for (const write of writes) {
      addWritten(written, commit, write);
      for (const row of write.rows) rows.add(commit, row, write.key);
    }
    for (const row of derived) rows.add(commit, row, null);
  }
  return [...Object.values(expected), ...Object.values(written), ...rows.values];
}

/** Documents that must not exist apart from the others, and which documents to lock. */
function sharedFlushValues(commits: readonly PreparedChanges[]): readonly unknown[] {
  const expected = noneExpected();
  const created = noneWritten();
  const written = noneWritten();
  const rows = createRows();
  /** Keys of documents that may exist, and whether they are written. */
  const locks = new Map<string, boolean>();
  for (const [commit, { expectations, writes, derived }] of commits.entries()) {
    const absent = new Set<string>();
    for (const expectation of expectations) {
      if (expectation.expected === null) {
        absent.add(expectation.key);
        continue;
      }
      addExpected(expected, commit, expectation);
      if (!locks.has(expectation.key)) locks.set(expectation.key, false);
    }
    for (const write of writes) {
      const isAbsent = absent.has(write.key);
      addWritten(isAbsent ? created : written, commit, write);
      if (!isAbsent) locks.set(write.key, true);
      for (const row of write.rows) rows.add(commit, row, write.key);
    }
    for (const row of derived) rows.add(commit, row, null);
  }
  // A document that is created and deleted at once exists only until the end of the flush.
  for (const [at, json] of created.json.entries()) created.json[at] = json ?? "null";
  return [...lockValues(locks), ...[expected, created, written].flatMap(Object.values), ...rows.values];
}

/** Ascending keys, and how many in turn are written or only looked at. */
function lockValues(locks: ReadonlyMap<string, boolean>): readonly [keys: string[], counts: number[]] {
  // Keys are ASCII, so code units are in the order of bytes.
  const keys = [...locks.keys()].sort();
  const counts: number[] = [];
  let isWritten = false;
  for (const key of keys) {
    if (counts.length === 0 || locks.get(key) !== isWritten) {
      // The first ones are written.
      if (counts.length === 0 && locks.get(key) === false) counts.push(0);
      counts.push(0);
      isWritten = locks.get(key) === true;
    }
    counts.push((counts.pop() ?? 0) + 1);
  }
  return [keys, counts];
}

function addExpected(to: Expected, commit: number, { key, expected }: Expectation): void {
  to.commit.push(commit);
  to.key.push(key);
  to.version.push(expected);
}

function addWritten(to: Written, commit: number, { key, version, json }: DocumentWrite): void {
  to.commit.push(commit);
  to.key.push(key);
  to.version.push(version);
  to.json.push(version === null ? null : json);
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

/** Compares the stored lists with the rows that documents and the log say they should have. */
import type { Row, RowChange } from "../../ports/store.ts";
import { isPut, type ListedRow, NO_ROWS } from "../commits/document-rows.ts";
import { CATALOG, isDerivedList } from "../keys.ts";
import type { Lists } from "../lists/lists.ts";
import type { LoggedCommit } from "../log/write-ahead-log.ts";

export interface SurveyedList {
  readonly name: string;
  /** Rows by ID, as the documents define them. Those of derived lists as stored; none if the list is damaged. */
  readonly rows: ReadonlyMap<string, Row>;
  readonly isDamaged: boolean;
  /** Whether the log contains changes that the stored list lacks. */
  readonly isChanged: boolean;
}

const NO_LISTED_ROWS: ReadonlyMap<string, Row> = new Map();

export async function surveyLists(parts: {
  lists: Lists;
  keys: readonly string[];
  damaged: ReadonlySet<string>;
  rows: readonly ListedRow[];
  commits: readonly LoggedCommit[];
  isLogComplete: boolean;
  /** Whether a checkpoint has completed. One that was cut off may have stored lists that the catalog does not name. */
  hasCheckpoint: boolean;
}): Promise<{
  readonly lists: readonly SurveyedList[];
  readonly orphaned: readonly string[];
  readonly orphanedTexts: ReadonlyMap<string, string>;
}> {
  const { lists, keys, damaged, rows, commits, isLogComplete, hasCheckpoint } = parts;
  const expectedRows = new Map<string, Map<string, Row>>();
  const storedNames = keys.filter(isPartOfList).map((key) => key.split(":")[1] ?? "");
  const catalog = await lists.read(CATALOG).catch(() => null);
  const names = [...storedNames, ...(catalog ?? []).map(({ id }) => id), ...rows.map(({ list }) => list)];
  for (const name of names) if (name !== CATALOG) expectedRows.set(name, new Map());
  for (const { list, put } of rows) expectedRows.get(list)?.set(put.id, put);

  const changes = new Map<string, RowChange[]>();
  for (const row of commits.flatMap(rowChangesOf)) {
    const listChanges = changes.get(row.list);
    if (listChanges === undefined) changes.set(row.list, [row]);
    else listChanges.push(row);
    if (!expectedRows.has(row.list)) expectedRows.set(row.list, new Map());
  }

  const hasDamagedItem = (name: string) => [...damaged].some((key) => key.startsWith(`list:${name}:`));
  const found: SurveyedList[] = [];
  const orphaned: string[] = [];
  const orphanedTexts = new Map<string, string>();
  for (const [name, expected] of expectedRows) {
    const stored = await lists.read(name).catch(() => null);
    const logged = changes.get(name) ?? [];
    const rows = applyRowChanges(stored ?? [], logged);
    const isReadable = stored !== null && !hasDamagedItem(name);
    const isChanged = logged.length > 0;
    if (isDerivedList(name)) {
      // Lost log records may have changed it, and documents don't contain its rows.
      const isDamaged = !isReadable || (!isLogComplete && rows.size > 0);
      found.push({ name, rows: isDamaged ? NO_LISTED_ROWS : rows, isDamaged, isChanged });
      continue;
    }
    for (const [id, { text }] of rows) {
      if (expected.has(id)) continue;
      orphaned.push(`${name}/${id}`);
      if (text !== undefined) orphanedTexts.set(`${name}/${id}`, text);
    }
    found.push({ name, rows: expected, isDamaged: !isReadable || !isSame(rows, expected), isChanged });
  }
  const isEmptied = hasCheckpoint && catalog?.length === 0;
  const isLost = catalog === null || hasDamagedItem(CATALOG) || isEmptied;
  // The root of a list that the catalog marks as empty may be removed.
  const named = new Map([...(catalog ?? []).map((row): [string, Row] => [row.id, row]), [CATALOG, { id: CATALOG }]]);
  const all = new Map([CATALOG, ...expectedRows.keys()].map((id): [string, Row] => [id, named.get(id) ?? { id }]));
  return {
    lists: [...found, { name: CATALOG, rows: all, isDamaged: isLost, isChanged: false }],
    orphaned,
    orphanedTexts,
  };
}

const rowChangesOf = ({ documents, derived = NO_ROWS }: LoggedCommit): RowChange[] => [
  ...documents.flatMap(([, , , rows = NO_ROWS]) => rows),
  ...derived,
];

function applyRowChanges(rows: readonly Row[], changes: readonly RowChange[]): ReadonlyMap<string, Row> {
  const all = new Map(rows.map((row) => [row.id, row]));
  for (const change of changes) {
    if (isPut(change)) all.set(change.put.id, change.put);
    else all.delete(change.delete);
  }
  return all;
}

function isSame(one: ReadonlyMap<string, Row>, other: ReadonlyMap<string, Row>): boolean {
  const textOf = ({ id, order = id, text = "", marks = [] }: Row) => JSON.stringify([id, order, text, marks]);
  if (one.size !== other.size) return false;
  for (const [id, row] of one) {
    const expected = other.get(id);
    if (expected === undefined || textOf(row) !== textOf(expected)) return false;
  }
  return true;
}

export function isPartOfList(key: string): boolean {
  return key.startsWith("list:");
}

/**
 * The rows of each mark of a list. For rare marks, this is their ids, so that a query doesn't visit every leaf. For other marks,
 * it is only their number.
 */

/** The id of the only row, the ids of a few rows, or the number of many. A list may have millions of marks of one row. */
type MarkedRows = string | readonly string[] | number;

export type Marks = Map<string, MarkedRows>;

/** Maximum number of rows of a mark whose ids are kept. */
export const MAX_RARE_ROWS = 128;

export function addMark(marks: Marks, mark: string, id: string): void {
  const rows = marks.get(mark);
  if (rows === undefined) marks.set(mark, id);
  else if (typeof rows === "number") marks.set(mark, rows + 1);
  else {
    const ids = typeof rows === "string" ? [rows, id] : [...rows, id];
    marks.set(mark, ids.length <= MAX_RARE_ROWS ? ids : ids.length);
  }
}

export function removeMark(marks: Marks, mark: string, id: string): void {
  const rows = marks.get(mark);
  if (rows === undefined || rows === id || rows === 1) marks.delete(mark);
  else if (typeof rows === "number") marks.set(mark, rows - 1);
  else if (typeof rows === "object") {
    const [only = "", ...others] = rows.filter((one) => one !== id);
    marks.set(mark, others.length === 0 ? only : [only, ...others]);
  }
}

export function countMark(marks: Marks, mark: string): number {
  const rows = marks.get(mark) ?? 0;
  if (typeof rows === "number") return rows;
  return typeof rows === "string" ? 1 : rows.length;
}

/** The ids of the rows that have one of the marks; null if there may be many. */
export function rareRows(marks: Marks, group: readonly string[]): ReadonlySet<string> | null {
  const ids = new Set<string>();
  for (const mark of group) {
    const rows = marks.get(mark);
    if (typeof rows === "number") return null;
    if (typeof rows === "string") ids.add(rows);
    else for (const id of rows ?? []) ids.add(id);
  }
  return ids;
}

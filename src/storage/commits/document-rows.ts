/**
 * The rows that a document has in lists. They are also stored with the document, so that a damaged list can be rebuilt.
 */
import type { Row, RowChange } from "../../ports/store.ts";

/** A change that puts a row into a list. */
export type ListedRow = Extract<RowChange, { readonly put: Row }>;

/** Whether the change puts a row. Changes are stored once or more per document, so they carry no discriminant. */
export function isPut(change: RowChange): change is ListedRow {
  return "put" in change;
}

export const NO_ROWS: readonly never[] = [];

/** Combines two consecutive sets of changes. */
export function mergeRowChanges(before: readonly RowChange[], after: readonly RowChange[]): readonly RowChange[] {
  if (before.length === 0) return after;
  if (after.length === 0) return before;
  return [...before.filter((change) => !after.some((later) => isOfSameRow(change, later))), ...after];
}

/** Returns the rows that exist after these changes, if there were none before. */
export function listedRows(changes: readonly RowChange[]): readonly ListedRow[] {
  return changes.filter(
    (change, index): change is ListedRow =>
      isPut(change) && !changes.some((later, at) => at > index && isOfSameRow(change, later)),
  );
}

function isOfSameRow(one: RowChange, other: RowChange): boolean {
  return one.list === other.list && rowIdOf(one) === rowIdOf(other);
}

function rowIdOf(change: RowChange): string {
  return isPut(change) ? change.put.id : change.delete;
}

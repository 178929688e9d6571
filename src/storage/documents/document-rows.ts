/**
 * The rows that a document has in lists. They are stored with the document, too, so that a list of which a part is lost
 * can be built again.
 */
import type { Row, RowChange } from "../../ports/store.ts";

/** A row that is in a list. */
export type ListedRow = Extract<RowChange, { readonly put: Row }>;

export const NO_ROWS: readonly never[] = [];

/** What both come to, one after the other. */
export function mergeRowChanges(before: readonly RowChange[], after: readonly RowChange[]): readonly RowChange[] {
  if (before.length === 0) return after;
  if (after.length === 0) return before;
  return [...before.filter((change) => !after.some((later) => isOfSameRow(change, later))), ...after];
}

/** The rows that are in lists after these changes, where none was before. */
export function listedRows(changes: readonly RowChange[]): readonly ListedRow[] {
  return changes.filter(
    (change, index): change is ListedRow =>
      "put" in change && !changes.some((later, at) => at > index && isOfSameRow(change, later)),
  );
}

function isOfSameRow(one: RowChange, other: RowChange): boolean {
  return one.list === other.list && rowIdOf(one) === rowIdOf(other);
}

function rowIdOf(change: RowChange): string {
  return "put" in change ? change.put.id : change.take;
}

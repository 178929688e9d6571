/** Queries by rare marks: only the rows with these marks are checked. */
import type { ListQuery } from "../../ports/store.ts";
import { rareRows } from "./marked-rows.ts";
import type { Position } from "./position.ts";
import { comparePositions, indexIn, leafOf, positionOf, type RowTree } from "./row-tree.ts";

/** The rows that match a query regardless of its start, in ascending order. Null if its marks are not rare. */
export function findByRareMarks(list: RowTree, { marks = [], ...query }: ListQuery): readonly Position[] | null {
  let rarest: { readonly ids: ReadonlySet<string>; readonly group: readonly string[] } | null = null;
  for (const group of marks) {
    const ids = rareRows(list.marks, group);
    if (ids !== null && (rarest === null || ids.size < rarest.ids.size)) rarest = { ids, group };
  }
  if (rarest === null) return null;
  const { ids, group } = rarest;
  const others = marks.filter((other) => other !== group);
  return [...ids]
    .map((id) => positionOf(list, id))
    .filter((position) => isMatch(list, position, { ...query, marks: others }))
    .sort(comparePositions);
}

function isMatch(list: RowTree, position: Position, { marks = [], from, until, search = "" }: ListQuery): boolean {
  if (from !== undefined && position.order < from) return false;
  if (until !== undefined && position.order > until) return false;
  if (marks.length === 0 && search === "") return true;
  const leaf = list.leaves[leafOf(list, position)];
  if (leaf === undefined) return false;
  const row = indexIn(leaf, position);
  const ofRow = new Set(leaf.marks[row]);
  return marks.every((group) => group.some((mark) => ofRow.has(mark))) && (leaf.texts[row] ?? "").includes(search);
}

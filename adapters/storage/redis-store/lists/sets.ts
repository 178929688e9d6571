/** The names of the sorted sets of a list, behind the prefix. */
import { markOf } from "../commits/row-script.ts";

export const allRowsOf = (list: string) => `l:${list}`;
export const markedRowsOf = (list: string, mark: string) => `m:${list}:${markOf(mark)}`;

/** The sets of each group of marks. A row must be in one set of each. */
export function setsOf(list: string, groups: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return groups.map((group) => [...new Set(group)].map((mark) => markedRowsOf(list, mark)));
}

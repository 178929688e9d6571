/**
 * The rows that have at least one mark of each group, in the order of a query. Reads the tree of marks alone. Every group
 * skips to what another one has reached, so the rarest decides how many rows are looked at.
 */

import { advance, enterNext, isBehind, type MarkCursor, openCursor, seek } from "./mark-cursor.ts";
import type { ListView, Reading } from "./reading.ts";
import { estimateRange, type RowRange, rangeOfMark } from "./tree-range.ts";

/** As in `ListQuery`. */
export type MarkGroups = readonly (readonly string[])[];

export interface MarksJoin {
  /** The marks of each group, the rarest group first. */
  readonly groups: readonly (readonly MarkCursor[])[];
  /** Number of rows looked at. */
  steps: number;
}

/** Rows after which the event loop may turn. */
const ROWS_PER_PAUSE = 20_000;

/** At most this many rows have a mark of the group. */
export function estimateGroup(view: ListView, group: readonly string[], rows: RowRange): number {
  return [...new Set(group)].reduce((sum, mark) => sum + estimateRange(view.marks, rangeOfMark(mark, rows)), 0);
}

export function* openJoin(view: ListView, groups: MarkGroups, rows: RowRange, descending: boolean): Reading<MarksJoin> {
  const ranked = groups
    .map((group) => ({ group, estimate: estimateGroup(view, group, rows) }))
    .sort((one, other) => one.estimate - other.estimate);
  const opened: MarkCursor[][] = [];
  for (const { group } of ranked) {
    const cursors: MarkCursor[] = [];
    for (const mark of new Set(group)) cursors.push(yield* openCursor(view, mark, rows, descending));
    opened.push(cursors);
  }
  return { groups: opened, steps: 0 };
}

/** Returns the key of the next row, or null at the end. */
export function* nextRow(view: ListView, join: MarksJoin): Reading<string | null> {
  const { groups } = join;
  let target = currentOf(groups[0]);
  for (let agreed = 1, at = 1; agreed < groups.length && target !== null; at++) {
    const group = groups[at % groups.length];
    for (const cursor of group ?? []) {
      if (cursor.current !== null && isBehind(target, cursor.current, cursor.descending)) {
        yield* seek(view, cursor, target);
      }
    }
    const reached = currentOf(group);
    agreed = reached === target ? agreed + 1 : 1;
    target = reached;
    if (++join.steps % ROWS_PER_PAUSE === 0) yield null;
  }
  if (target === null) return null;
  for (const cursor of groups[0] ?? []) {
    if (cursor.current !== target) continue;
    if (!advance(cursor)) yield* enterNext(view, cursor);
  }
  if (++join.steps % ROWS_PER_PAUSE === 0) yield null;
  return target;
}

/** The first of the rows that the cursors of a group have reached. */
function currentOf(group: readonly MarkCursor[] | undefined): string | null {
  let first: string | null = null;
  for (const { current, descending } of group ?? []) {
    if (current !== null && (first === null || isBehind(first, current, descending))) first = current;
  }
  return first;
}

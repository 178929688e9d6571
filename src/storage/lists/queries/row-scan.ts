/** Filters rows by their texts and marks, leaf by leaf. */
import { type Columns, marksAt, textAt } from "../trees/columns.ts";
import { findTexts, joinTexts } from "../trees/search-texts.ts";
import type { MarkGroups } from "./marks-join.ts";
import { contentOf, type ListView, pauseAfter, type Reading } from "./reading.ts";
import { boundsIn, type FoundRows, leavesOf, type PageOptions, type RowRange, rangeOfRows } from "./tree-range.ts";

export interface RowFilter {
  readonly search: string;
  readonly marks: MarkGroups;
}

export interface ScannedRows extends FoundRows {
  /** Number of rows of the offset that were not skipped yet. */
  readonly skip: number;
  /** The rows that were not scanned; null if there are none, or the page is full. */
  readonly rest: RowRange | null;
}

/**
 * Returns a page of the rows whose text contains the string, and that have at least one mark of each group.
 * @param maxLeaves Number of leaves after which the scan ends.
 */
export function* scanRows(
  view: ListView,
  filter: RowFilter,
  rows: RowRange,
  page: PageOptions,
  maxLeaves: number,
): Reading<ScannedRows> {
  const found: string[] = [];
  const { descending, limit } = page;
  const range = rangeOfRows(rows);
  const [first, last] = leavesOf(view.rows, range);
  const hasMarks = createMarksFilter(filter.marks);
  let skip = page.offset;
  for (let step = 0; step <= last - first; step++) {
    const at = descending ? last - step : first + step;
    const leaf = view.rows.leaves[at];
    if (leaf === undefined) continue;
    if (step === maxLeaves) return { found, more: false, skip, rest: restOf(view, rows, at, descending) };
    const content = yield* contentOf(leaf);
    const [start, end] = boundsIn(content, range, at === first, at === last);
    const matches = findIn(content, filter.search, hasMarks, start, end);
    if (descending) matches.reverse();
    for (const index of matches.slice(skip)) {
      if (found.length === limit) return { found, more: true, skip: 0, rest: null };
      found.push(content.key[index] ?? "");
    }
    skip = Math.max(0, skip - matches.length);
    yield* pauseAfter(step + 1);
  }
  return { found, more: false, skip, rest: null };
}

/** The part of a range from a leaf on. */
function restOf({ rows }: ListView, { low, high }: RowRange, at: number, descending: boolean): RowRange {
  const next = rows.leaves[descending ? at + 1 : at]?.first.key ?? null;
  return descending ? { low, high: next } : { low: next, high };
}

/** Counts the rows that have at least one mark of each group. */
export function* countByScan(view: ListView, groups: MarkGroups, rows: RowRange): Reading<number> {
  const range = rangeOfRows(rows);
  const [first, last] = leavesOf(view.rows, range);
  const hasMarks = createMarksFilter(groups);
  let count = 0;
  for (let at = first; at <= last; at++) {
    const leaf = view.rows.leaves[at];
    if (leaf === undefined) continue;
    const content = yield* contentOf(leaf);
    const [start, end] = boundsIn(content, range, at === first, at === last);
    for (let index = start; index < end; index++) if (hasMarks(marksAt(content, index))) count++;
    yield* pauseAfter(at - first + 1);
  }
  return count;
}

function findIn(
  content: Columns,
  search: string,
  hasMarks: (marks: readonly string[]) => boolean,
  start: number,
  end: number,
): number[] {
  if (search !== "" && start < end) {
    content.searchTexts ??= joinTexts(content.key.map((_, index) => textAt(content, index)));
    return findTexts(content.searchTexts, search, start, end).filter((index) => hasMarks(marksAt(content, index)));
  }
  const found: number[] = [];
  for (let index = start; index < end; index++) if (hasMarks(marksAt(content, index))) found.push(index);
  return found;
}

/** Combinations of marks whose answer a filter remembers. Rows with the same marks mostly share one array. */
const MAX_KNOWN = 1_000;

function createMarksFilter(groups: MarkGroups): (marks: readonly string[]) => boolean {
  const known = new Map<readonly string[], boolean>();
  return (marks) => {
    let answer = known.get(marks);
    if (answer === undefined) {
      answer = groups.every((group) => group.some((mark) => marks.includes(mark)));
      if (known.size < MAX_KNOWN) known.set(marks, answer);
    }
    return answer;
  };
}

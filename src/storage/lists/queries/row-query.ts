/** Pages of a list. Reads the leaves that have the rows of the page, and those that a total needs. */
import type { ListQuery, RowPage } from "../../../ports/store.ts";
import { knownTotal, startTotal } from "../combined-totals.ts";
import { parsePosition } from "../position.ts";
import { afterKey, compareKeys, keyOf, positionOf } from "../row-key.ts";
import { rowPage } from "../row-page.ts";
import { indexOf, isAt, textAt } from "../trees/columns.ts";
import { leafOf } from "../trees/paged-tree.ts";
import { estimateGroup, type MarkGroups, nextRow, openJoin } from "./marks-join.ts";
import { contentOf, type ListView, type Reading } from "./reading.ts";
import { countByScan, type RowFilter, scanRows } from "./row-scan.ts";
import {
  collectRange,
  countRange,
  estimateRange,
  type FoundRows,
  type PageOptions,
  type RowRange,
  rangeOfMark,
  rangeOfRows,
} from "./tree-range.ts";

/**
 * Rows of a mark are looked up one by one if at most this share of all rows may have it. Otherwise, all rows are read leaf by
 * leaf, which costs less for each.
 */
const RARE_SHARE = 1 / 16;
/** If the page is not full after these, rows are looked up by their marks: those with a frequent mark may be far away. */
const MAX_SCANNED_LEAVES = 2;

export function* readPage(view: ListView, query: ListQuery): Reading<RowPage> {
  const rows = rangeOf(query);
  const total = hasTotal(query) ? yield* totalOf(view, query.marks ?? [], rows) : undefined;
  const isCount = query.limit === 0;
  const { found, more } = isCount ? NO_PAGE : yield* findPage(view, query, pageRange(query, rows));
  return rowPage(found.map(positionOf), total, more);
}

const NO_PAGE: FoundRows = { found: [], more: false };

const hasTotal = ({ search, withoutTotal = false }: ListQuery) => search === undefined && !withoutTotal;

/** The rows whose order the query accepts. */
function rangeOf({ from, until }: ListQuery): RowRange {
  return {
    low: from === undefined ? null : keyOf({ order: from, id: "" }),
    // Appending the smallest character gives the next possible order.
    high: until === undefined ? null : keyOf({ order: `${until}\u0000`, id: "" }),
  };
}

/** The part of the rows from which the page starts. */
function pageRange({ after, descending = true }: ListQuery, { low, high }: RowRange): RowRange {
  if (after === undefined) return { low, high };
  const start = keyOf(parsePosition(after));
  if (descending) return { low, high: high === null || compareKeys(start, high) < 0 ? start : high };
  const next = afterKey(start);
  return { low: low === null || compareKeys(next, low) > 0 ? next : low, high };
}

/** The mark, if rows are filtered by nothing else. */
function onlyMark([group, ...others]: MarkGroups): string | undefined {
  const marks = new Set(group);
  return others.length === 0 && marks.size === 1 ? group?.[0] : undefined;
}

function* totalOf(view: ListView, groups: MarkGroups, rows: RowRange): Reading<number> {
  if (groups.length === 0) return yield* countRange(view.rows, rangeOfRows(rows));
  const mark = onlyMark(groups);
  if (mark !== undefined) return yield* countRange(view.marks, rangeOfMark(mark, rows));
  if (rows.low !== null || rows.high !== null) return yield* countRows(view, groups, rows);
  // Nothing has been yielded so far, so this is the total of what the view shows.
  const known = knownTotal(view.totals, groups);
  if (known !== undefined) return known;
  const counted = startTotal(view.totals, groups);
  let total: number | null = null;
  try {
    total = yield* countRows(view, groups, rows);
    return total;
  } finally {
    counted.end(total);
  }
}

function* countRows(view: ListView, groups: MarkGroups, rows: RowRange): Reading<number> {
  if (!isRare(view, groups, rows)) return yield* countByScan(view, groups, rows);
  const join = yield* openJoin(view, groups, rows, false);
  let count = 0;
  while ((yield* nextRow(view, join)) !== null) count++;
  return count;
}

function* findPage(view: ListView, query: ListQuery, rows: RowRange): Reading<FoundRows> {
  const { search = "", marks = [], descending = true, offset = 0, limit } = query;
  const page = { descending, offset, limit };
  if (marks.length === 0 && search === "") return yield* collectRange(view.rows, rangeOfRows(rows), page);
  const mark = onlyMark(marks);
  if (mark !== undefined && search === "") return yield* collectRange(view.marks, rangeOfMark(mark, rows), page);
  const filter = { search, marks };
  if (isRare(view, marks, rows)) return yield* joinPage(view, filter, rows, page);

  const maxLeaves = search === "" ? MAX_SCANNED_LEAVES : Number.POSITIVE_INFINITY;
  const { found, more, skip, rest } = yield* scanRows(view, filter, rows, page, maxLeaves);
  if (rest === null) return { found, more };
  const restPage = { descending, offset: skip, limit: limit - found.length };
  const others = yield* joinPage(view, filter, rest, restPage);
  return { found: [...found, ...others.found], more: others.more };
}

/** Looks up rows by their marks, and then their texts. */
function* joinPage(view: ListView, filter: RowFilter, rows: RowRange, page: PageOptions): Reading<FoundRows> {
  const { search, marks } = filter;
  const join = yield* openJoin(view, marks, rows, page.descending);
  const found: string[] = [];
  let skip = page.offset;
  for (let row = yield* nextRow(view, join); row !== null; row = yield* nextRow(view, join)) {
    if (search !== "" && !(yield* hasText(view, row, search))) continue;
    if (skip > 0) skip--;
    else if (found.length === page.limit) return { found, more: true };
    else found.push(row);
  }
  return { found, more: false };
}

/** Whether the rarest group has so few rows that they are looked up one by one. */
function isRare(view: ListView, groups: MarkGroups, rows: RowRange): boolean {
  const most = estimateRange(view.rows, rangeOfRows(rows)) * RARE_SHARE;
  return groups.some((group) => estimateGroup(view, group, rows) <= most);
}

function* hasText({ rows }: ListView, key: string, search: string): Reading<boolean> {
  const place = { mark: "", key };
  const leaf = rows.leaves[leafOf(rows.leaves, place)];
  if (leaf === undefined) return false;
  const content = yield* contentOf(leaf);
  const index = indexOf(content, place);
  return isAt(content, index, place) && textAt(content, index).includes(search);
}

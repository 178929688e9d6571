/** Pages of a list: finds the rows that match a query from its start, without reading beyond the page. */
import type { ListQuery, RowPage } from "../../ports/store.ts";
import { combinedTotal } from "./combined-totals.ts";
import { filterRows, type MarkGroups } from "./leaf-index.ts";
import { countMark } from "./marked-rows.ts";
import { type Position, parsePosition } from "./position.ts";
import { findByRareMarks } from "./rare-rows.ts";
import { countRows, countRowsOfGroups, type RowSet, rowRange, rowsOf } from "./row-bitset.ts";
import { rowPage } from "./row-page.ts";
import { comparePositions, ensureIndex, indexIn, type Leaf, leafOf, type RowTree } from "./row-tree.ts";

/** A boundary between rows. */
interface Bound {
  readonly leaf: number;
  readonly index: number;
}

/** The rows of a leaf from `start` up to, but not including, `end`. */
interface LeafRange {
  readonly leaf: Leaf;
  readonly start: number;
  readonly end: number;
}

export function queryRows(list: RowTree, query: ListQuery): RowPage {
  const rare = findByRareMarks(list, query);
  return rare === null ? queryLeaves(list, query) : queryPositions(rare, query);
}

/** @param rows The rows that match, in ascending order. */
function queryPositions(rows: readonly Position[], query: ListQuery): RowPage {
  const { after, offset = 0, limit } = query;
  const isDescending = query.descending ?? true;
  const start = after === undefined ? null : parsePosition(after);
  const left = rows.filter((row) => {
    const difference = start === null ? 0 : comparePositions(row, start);
    return start === null || (isDescending ? difference < 0 : difference > 0);
  });
  if (isDescending) left.reverse();
  const found = left.slice(offset, offset + limit);
  return rowPage(found, hasTotal(query) ? rows.length : undefined, left.length > offset + limit);
}

const hasTotal = ({ search, withoutTotal = false }: ListQuery) => search === undefined && !withoutTotal;

function queryLeaves(list: RowTree, query: ListQuery): RowPage {
  const descending = query.descending ?? true;
  const from = query.from === undefined ? START : boundAt(list, { order: query.from, id: "" });
  const to = query.until === undefined ? endOf(list) : boundAfterOrder(list, query.until);
  const total = hasTotal(query) ? totalOf(list, query, from, to) : undefined;

  const start = query.after === undefined ? null : parsePosition(query.after);
  const [low, high] =
    start === null
      ? [from, to]
      : descending
        ? [from, minBound(boundAt(list, start), to)]
        : [maxBound(from, boundAfter(list, start)), to];

  const { found, more } = collectPage(leafRanges(list, low, high, descending), query, descending);
  return rowPage(found, total, more);
}

/** Returns the rows of the page, and whether more rows match. */
function collectPage(
  ranges: Iterable<LeafRange>,
  query: ListQuery,
  descending: boolean,
): { found: Position[]; more: boolean } {
  const found: Position[] = [];
  let skip = query.offset ?? 0;
  const { marks = [], search } = query;
  for (const range of ranges) {
    // Most leaves of a long list have no row that matches.
    if (marks.length > 0 && search === undefined && countInLeaf(range.leaf, marks) === 0) continue;
    const matching = matchingRows(range, query);
    const count = countRows(matching);
    if (skip >= count) {
      skip -= count;
      continue;
    }
    const rows = rowsOf(matching);
    if (descending) rows.reverse();
    for (const row of rows.slice(skip)) {
      if (found.length === query.limit) return { found, more: true };
      const id = range.leaf.ids[row] ?? "";
      found.push({ id, order: range.leaf.orders[row] ?? id });
    }
    skip = 0;
  }
  return { found, more: false };
}

/** Yields the parts of leaves between two bounds, in query order. */
function* leafRanges(list: RowTree, low: Bound, high: Bound, descending: boolean): Iterable<LeafRange> {
  const lastLeaf = Math.min(high.leaf, list.leaves.length - 1);
  for (let step = 0; step <= lastLeaf - low.leaf; step++) {
    const at = descending ? lastLeaf - step : low.leaf + step;
    const leaf = list.leaves[at];
    if (leaf === undefined) continue;
    const start = at === low.leaf ? low.index : 0;
    const end = at === high.leaf ? high.index : leaf.ids.length;
    if (start < end) yield { leaf, start, end };
  }
}

function matchingRows({ leaf, start, end }: LeafRange, query: ListQuery): RowSet {
  const rows = rowRange(leaf.ids.length, start, end);
  const filtersByMarks = query.marks !== undefined && query.marks.length > 0;
  if (query.search !== undefined || filtersByMarks) filterRows(rows, ensureIndex(leaf), query);
  return rows;
}

function totalOf(list: RowTree, query: ListQuery, from: Bound, to: Bound): number {
  const groups = query.marks ?? [];
  if (query.from === undefined && query.until === undefined) {
    const [[only, ...others] = []] = groups;
    if (groups.length === 0) return list.size;
    if (groups.length === 1 && only !== undefined && others.length === 0) return countMark(list.marks, only);
    return combinedTotal(list.totals, groups, () => countRowsBetween(list, query, from, to));
  }
  return countRowsBetween(list, query, from, to);
}

function countRowsBetween(list: RowTree, query: ListQuery, from: Bound, to: Bound): number {
  const { marks = [] } = query;
  let total = 0;
  for (const range of leafRanges(list, from, to, false)) {
    if (marks.length === 0) total += range.end - range.start;
    else if (isWhole(range)) total += countInLeaf(range.leaf, marks);
    else total += countRows(matchingRows(range, query));
  }
  return total;
}

const isWhole = ({ leaf, start, end }: LeafRange) => start === 0 && end === leaf.ids.length;

function countInLeaf(leaf: Leaf, marks: MarkGroups): number {
  return countRowsOfGroups(ensureIndex(leaf).rowsOfGroups(marks), leaf.ids.length);
}

const START: Bound = { leaf: 0, index: 0 };
const endOf = (list: RowTree): Bound => ({ leaf: list.leaves.length, index: 0 });

function minBound(one: Bound, other: Bound): Bound {
  return isLower(one, other) ? one : other;
}

function maxBound(one: Bound, other: Bound): Bound {
  return isLower(one, other) ? other : one;
}

function isLower(one: Bound, other: Bound): boolean {
  return one.leaf < other.leaf || (one.leaf === other.leaf && one.index < other.index);
}

/** Returns the bound before the first row at or after the position. */
function boundAt(list: RowTree, position: Position): Bound {
  const at = leafOf(list, position);
  const leaf = list.leaves[at];
  return { leaf: at, index: leaf === undefined ? 0 : indexIn(leaf, position) };
}

/** Returns the bound after the row at a position, even if the row has been deleted. */
function boundAfter(list: RowTree, position: Position): Bound {
  const bound = boundAt(list, position);
  const leaf = list.leaves[bound.leaf];
  const isPresent = leaf?.ids[bound.index] === position.id && leaf.orders[bound.index] === position.order;
  return isPresent ? { leaf: bound.leaf, index: bound.index + 1 } : bound;
}

/**
 * Returns the bound after all rows up to this order. Appending the smallest character gives the next possible order.
 */
function boundAfterOrder(list: RowTree, order: string): Bound {
  return boundAt(list, { order: `${order}\u0000`, id: "" });
}

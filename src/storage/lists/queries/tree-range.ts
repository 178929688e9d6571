/** Parts of a tree between two places: counts and pages. */

import { type Columns, indexOf, type Place } from "../trees/columns.ts";
import { type LeafSequence, leafOf } from "../trees/paged-tree.ts";
import { contentOf, type Reading } from "./reading.ts";

/** The rows from the key `low` up to, but not including, `high`. Null if there is no bound. */
export interface RowRange {
  readonly low: string | null;
  readonly high: string | null;
}

/** The entries from `low` up to, but not including, `high`. */
export interface TreeRange {
  readonly low: Place;
  readonly high: Place | null;
}

const START: Place = { mark: "", key: "" };

export function rangeOfRows({ low, high }: RowRange): TreeRange {
  return { low: low === null ? START : { mark: "", key: low }, high: high === null ? null : { mark: "", key: high } };
}

/** The rows of a mark. */
export function rangeOfMark(mark: string, { low, high }: RowRange): TreeRange {
  return {
    low: { mark, key: low ?? "" },
    // Appending the smallest character gives the next possible text.
    high: high === null ? { mark: `${mark}\u0000`, key: "" } : { mark, key: high },
  };
}

/** The indexes of the first and the last leaf that may have entries of a range. */
export function leavesOf({ leaves }: LeafSequence, { low, high }: TreeRange): readonly [number, number] {
  const last = high === null ? leaves.length - 1 : Math.min(leafOf(leaves, high), leaves.length - 1);
  return [leafOf(leaves, low), last];
}

/** At most this many entries are in a range. */
export function estimateRange(tree: LeafSequence, range: TreeRange): number {
  const [first, last] = leavesOf(tree, range);
  let count = 0;
  for (let at = first; at <= last; at++) count += tree.leaves[at]?.count ?? 0;
  return count;
}

/** Reads at most the leaves at the ends of the range. */
export function* countRange(tree: LeafSequence, range: TreeRange): Reading<number> {
  const [first, last] = leavesOf(tree, range);
  let count = estimateRange(tree, range);
  const firstLeaf = tree.leaves[first];
  const lastLeaf = tree.leaves[last];
  if (firstLeaf === undefined || lastLeaf === undefined || first > last) return 0;
  if (range.low !== START) count -= indexOf(yield* contentOf(firstLeaf), range.low);
  if (range.high !== null) count -= lastLeaf.count - indexOf(yield* contentOf(lastLeaf), range.high);
  return Math.max(0, count);
}

export interface PageOptions {
  readonly descending: boolean;
  readonly offset: number;
  readonly limit: number;
}

export interface FoundRows {
  /** Their keys. */
  readonly found: string[];
  /** Whether more rows follow. */
  readonly more: boolean;
}

/** Returns a page of a range. Leaves that the offset skips are not read. */
export function* collectRange(tree: LeafSequence, range: TreeRange, page: PageOptions): Reading<FoundRows> {
  const found: string[] = [];
  const { descending, limit } = page;
  const [first, last] = leavesOf(tree, range);
  let skip = page.offset;
  for (let step = 0; limit > 0 && step <= last - first; step++) {
    const at = descending ? last - step : first + step;
    const leaf = tree.leaves[at];
    if (leaf === undefined) continue;
    if (at > first && at < last && skip >= leaf.count) {
      skip -= leaf.count;
      continue;
    }
    const content = yield* contentOf(leaf);
    const [start, end] = boundsIn(content, range, at === first, at === last);
    const count = Math.max(0, end - start);
    for (let entry = skip; entry < count; entry++) {
      if (found.length === limit) return { found, more: true };
      const index = descending ? end - 1 - entry : start + entry;
      found.push(content.key[index] ?? "");
    }
    skip = Math.max(0, skip - count);
  }
  return { found, more: false };
}

/** The entries of a leaf that belong to a range, from the first index up to, but not including, the second. */
export function boundsIn(
  content: Columns,
  { low, high }: TreeRange,
  isFirst: boolean,
  isLast: boolean,
): readonly [number, number] {
  const start = isFirst ? indexOf(content, low) : 0;
  return [start, isLast && high !== null ? indexOf(content, high) : content.key.length];
}

/** Pages of a list: which rows a query chooses, found from the end it starts at, without looking further than the page. */
import type { ListQuery, RowPage } from "../ports/store.ts";
import { indexIn, type Leaf, leafOf, type Position, type RowList } from "./row-list.ts";

/** A place between rows. */
interface Bound {
  readonly leaf: number;
  readonly index: number;
}

/** Which rows pass; a leaf that `leaf` turns away holds none. */
interface Filter {
  leaf(leaf: Leaf): boolean;
  row(leaf: Leaf, index: number): boolean;
}

export function queryRows(list: RowList, query: ListQuery): RowPage {
  const descending = query.descending ?? true;
  const from: Bound = { leaf: 0, index: 0 };
  const to = query.until === undefined ? endOf(list) : boundBehindOrder(list, query.until);
  const filter = filterOf(query);
  const total = query.search === undefined ? countRows(list, query, filter, to) : undefined;

  const start = query.after === undefined ? null : parsePosition(query.after);
  const [low, high] =
    start === null
      ? [from, to]
      : descending
        ? [from, lesser(boundAt(list, start), to)]
        : [boundBehind(list, start), to];

  const ids: string[] = [];
  let skip = query.offset ?? 0;
  let last: Position | null = null;
  let more = false;
  for (const { leaf, start, end } of pieces(list, low, high, descending)) {
    const length = end - start;
    if (filter === null && skip >= length) {
      skip -= length;
      continue;
    }
    if (filter !== null && !filter.leaf(leaf)) continue;
    for (let step = 0; step < length && !more; step++) {
      const index = descending ? end - 1 - step : start + step;
      if (filter !== null && !filter.row(leaf, index)) continue;
      if (skip > 0) {
        skip--;
      } else if (ids.length < query.limit) {
        const id = leaf.ids[index] ?? "";
        ids.push(id);
        last = { id, order: leaf.orders[index] ?? id };
      } else {
        more = true;
      }
    }
    if (more) break;
  }
  return {
    ids,
    ...(total === undefined ? {} : { total }),
    ...(more && last !== null ? { next: formatPosition(last) } : {}),
  };
}

/** The parts of leaves between two bounds, in the order in which they are looked at. */
function* pieces(list: RowList, low: Bound, high: Bound, descending: boolean) {
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

function countRows(list: RowList, query: ListQuery, filter: Filter | null, to: Bound): number {
  const groups = query.marks ?? [];
  const [group] = groups;
  const whole = query.until === undefined;
  if (filter === null && whole) return list.size;
  if (whole && groups.length === 1 && group?.length === 1) return list.marks.get(group[0] ?? "") ?? 0;
  let total = 0;
  for (const { leaf, start, end } of pieces(list, { leaf: 0, index: 0 }, to, false)) {
    if (filter === null) {
      total += end - start;
      continue;
    }
    for (let index = start; index < end; index++) {
      if (filter.row(leaf, index)) total++;
    }
  }
  return total;
}

function filterOf({ search, marks }: ListQuery): Filter | null {
  if (search === undefined && marks === undefined) return null;
  const groups = marks ?? [];
  const carries = (has: readonly string[]) => groups.every((group) => group.some((mark) => has.includes(mark)));
  return {
    leaf(leaf) {
      if (search === undefined) return true;
      // Joined without anything in between: at worst a match across two rows makes the leaf be looked at in vain.
      leaf.haystack ??= leaf.texts.join("");
      return leaf.haystack.includes(search);
    },
    row(leaf, index) {
      if (search !== undefined && leaf.texts[index]?.includes(search) !== true) return false;
      return groups.length === 0 || carries(leaf.marks[index] ?? []);
    },
  };
}

const endOf = (list: RowList): Bound => ({ leaf: list.leaves.length, index: 0 });

function lesser(one: Bound, other: Bound): Bound {
  return one.leaf < other.leaf || (one.leaf === other.leaf && one.index < other.index) ? one : other;
}

/** Before the first row that is not before the position. */
function boundAt(list: RowList, position: Position): Bound {
  const at = leafOf(list, position);
  const leaf = list.leaves[at];
  return { leaf: at, index: leaf === undefined ? 0 : indexIn(leaf, position) };
}

/** Behind the row of that position, whether it is still there or not. */
function boundBehind(list: RowList, position: Position): Bound {
  const bound = boundAt(list, position);
  const leaf = list.leaves[bound.leaf];
  const there = leaf?.ids[bound.index] === position.id && leaf.orders[bound.index] === position.order;
  return there ? { leaf: bound.leaf, index: bound.index + 1 } : bound;
}

/** Behind every row whose order is at most this: no order lies between a text and that text with the least character added. */
function boundBehindOrder(list: RowList, order: string): Bound {
  return boundAt(list, { order: `${order}\u0000`, id: "" });
}

/** A position as callers carry it: the id, and the order where it is another. Ids hold no colon. */
function formatPosition({ order, id }: Position): string {
  return order === id ? id : `${id}:${order}`;
}

/** Any text is a position: one that nobody was given stands somewhere too. */
function parsePosition(text: string): Position {
  const colon = text.indexOf(":");
  return colon === -1 ? { order: text, id: text } : { order: text.slice(colon + 1), id: text.slice(0, colon) };
}

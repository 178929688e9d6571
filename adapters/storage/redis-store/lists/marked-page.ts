/**
 * A page of rows that several marks or a search select. The sets of the rarest group are read in order and merged; the
 * others are only asked about those rows.
 */
import type { ListQuery, RowPage } from "../../../../src/ports/store.ts";
import { textsOf } from "../script.ts";
import { isDescending, rangeBehind } from "./bounds.ts";
import { COUNTS } from "./list-scripts.ts";
import { pageOf } from "./page.ts";
import type { Read } from "./read.ts";
import { countRows, createRowStream, type Filter, type RowStream } from "./row-stream.ts";
import { allRowsOf, setsOf } from "./sets.ts";

/** Rows that a search looks at for one page. */
const MAX_SEARCHED_ROWS = 100_000;
/** Sets that one script counts. */
const SETS_AT_ONCE = 500;

export async function readMarkedPage(read: Read, list: string, query: ListQuery): Promise<RowPage> {
  const { search, withoutTotal = false } = query;
  const plan = await planOf(read, list, query);
  const page = await collectPage(read, plan, query);
  if (search !== undefined || withoutTotal) return page;
  return { ...page, total: await totalOf(read, plan, query) };
}

/** What to read in order. */
interface Plan {
  /** Sets with their rows within the bounds of the query, the largest first. */
  readonly sets: readonly { readonly set: string; readonly count: number }[];
  /** The other groups. */
  readonly groups: readonly (readonly string[])[];
  readonly list: string;
}

async function planOf(read: Read, list: string, query: ListQuery): Promise<Plan> {
  const groups = setsOf(list, query.marks ?? []);
  if (groups.length === 0) return { sets: [{ set: allRowsOf(list), count: 0 }], groups: [], list };
  const { low, high } = rangeBehind(query, null);
  const counts = new Map<string, number>();
  const all = [...new Set(groups.flat())];
  for (let at = 0; at < all.length; at += SETS_AT_ONCE) {
    const some = all.slice(at, at + SETS_AT_ONCE);
    const [answer] = await read("listing", COUNTS, [low, high, ...some]);
    for (const [index, count] of textsOf(answer).entries()) counts.set(some[index] ?? "", Number(count));
  }
  const countOf = (set: string) => counts.get(set) ?? 0;
  const sizeOf = (group: readonly string[]) => group.reduce((sum, set) => sum + countOf(set), 0);
  const [rarest = [], ...others] = groups.toSorted((one, other) => sizeOf(one) - sizeOf(other));
  const sets = rarest.map((set) => ({ set, count: countOf(set) })).filter(({ count }) => count > 0);
  return { sets: sets.sort((one, other) => other.count - one.count), groups: others, list };
}

function filterOf({ list, groups }: Plan, set: string, excluded: readonly string[]): Filter {
  return { list, set, excluded, groups };
}

async function collectPage(read: Read, plan: Plan, query: ListQuery): Promise<RowPage> {
  const { search, offset = 0, limit } = query;
  const streams = plan.sets.map(({ set }) => createRowStream(read, filterOf(plan, set, []), query));
  const found: string[] = [];
  let skip = offset;
  let last: string | null = null;
  for (let looked = 0; search === undefined || looked < MAX_SEARCHED_ROWS; looked++) {
    await Promise.all(streams.map((stream) => (stream.head === null ? stream.fill() : undefined)));
    const row = takeNext(streams, isDescending(query));
    if (row === null) return pageOf(found, null);
    if (search === undefined || row.text.includes(search)) {
      if (skip > 0) skip--;
      else if (found.length === limit) return pageOf(found, found.at(-1) ?? null);
      else found.push(row.member);
    }
    last = row.member;
  }
  return pageOf(found, last);
}

/** Takes the next row of all streams. One that is in several sets is taken once. */
function takeNext(streams: readonly RowStream[], isDown: boolean) {
  const rows = streams.flatMap(({ head }) => (head === null ? [] : [head]));
  const [first, ...others] = rows;
  if (first === undefined) return null;
  const next = others.reduce(
    (best, row) => ((isDown ? row.member > best.member : row.member < best.member) ? row : best),
    first,
  );
  for (const stream of streams) if (stream.head?.member === next.member) stream.advance();
  return next;
}

/** Counts each row at the first of its sets. The rows of the largest set are not read if no other group restricts them. */
async function totalOf(read: Read, plan: Plan, query: ListQuery): Promise<number> {
  let total = 0;
  const before: string[] = [];
  for (const { set, count } of plan.sets) {
    const isCounted = before.length === 0 && plan.groups.length === 0;
    total += isCounted ? count : await countRows(read, filterOf(plan, set, [...before]), query);
    before.push(set);
  }
  return total;
}

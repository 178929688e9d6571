/** Pages of a list. */
import type { ListQuery, RowPage } from "../../../../src/ports/store.ts";
import { isListName } from "../../../../src/storage/keys.ts";
import { textsOf } from "../script.ts";
import { boundsOf, isDescending, startOf } from "./bounds.ts";
import { COUNTS, MAX_ROWS, RANKED_PAGE } from "./list-scripts.ts";
import { readMarkedPage } from "./marked-page.ts";
import { pageOf } from "./page.ts";
import type { Read } from "./read.ts";
import { allRowsOf, setsOf } from "./sets.ts";

export async function listRows(read: Read, name: string, query: ListQuery): Promise<RowPage> {
  const set = isListName(name) ? singleSetOf(name, query) : null;
  if (!isListName(name) || query.marks?.some((group) => group.length === 0)) return emptyPage(query);
  return set === null ? readMarkedPage(read, name, query) : readRankedPage(read, set, query);
}

/** The number of rows of each list. One script, so that all belong to the same moment. */
export async function listTotals(read: Read, names: readonly string[]): Promise<readonly number[]> {
  const lists = names.filter(isListName);
  const [answer] = await read("listing", COUNTS, ["-", "+", ...lists.map(allRowsOf)]);
  const counts = textsOf(answer);
  const totals = new Map(lists.map((name, index) => [name, Number(counts[index])]));
  return names.map((name) => totals.get(name) ?? 0);
}

function emptyPage({ search, withoutTotal = false }: ListQuery): RowPage {
  return { ids: [], total: search === undefined && !withoutTotal ? 0 : undefined };
}

/** The set that contains exactly the rows of a query within its bounds, if there is one. */
function singleSetOf(list: string, { search, marks = [] }: ListQuery): string | null {
  if (search !== undefined) return null;
  if (marks.length === 0) return allRowsOf(list);
  const [[only, ...others] = [], ...groups] = setsOf(list, marks);
  return only !== undefined && others.length === 0 && groups.length === 0 ? only : null;
}

async function readRankedPage(read: Read, set: string, query: ListQuery): Promise<RowPage> {
  const { offset = 0, limit, withoutTotal = false } = query;
  const { low, high } = boundsOf(query);
  const members: string[] = [];
  let start = startOf(query);
  let skip = offset;
  let total: number | undefined;
  for (;;) {
    const count = Math.min(limit - members.length, MAX_ROWS);
    const where = [set, low ?? "", high ?? "", start ?? "", isDescending(query) ? "desc" : "asc"];
    const [counted, more, found] = await read("listing", RANKED_PAGE, [...where, skip, count]);
    const rows = textsOf(found);
    members.push(...(isDescending(query) ? rows.toReversed() : rows));
    total ??= Number(counted);
    start = members.at(-1) ?? start;
    skip = 0;
    if (more === "end" || members.length >= limit) {
      const page = pageOf(members, more === "more" ? start : null);
      return { ...page, total: withoutTotal ? undefined : total };
    }
  }
}

/** Lists over a driver in memory, whose leaves are tiny so that few rows have many of them; and what they must return. */
import { nodeHash } from "../../../adapters/crypto/node-hash.ts";
import { createIds } from "../../../src/ids.ts";
import type { ExtendedDriver } from "../../../src/ports/driver.ts";
import type { ListQuery, Row, RowChange } from "../../../src/ports/store.ts";
import { createChecksumCodec } from "../../../src/storage/driver/checksum.ts";
import { createChecksummedItems } from "../../../src/storage/driver/checksummed-items.ts";
import { createOwnership } from "../../../src/storage/driver/ownership.ts";
import { createLists, type ListOptions, type Lists } from "../../../src/storage/lists/lists.ts";
import { systemClock } from "../../../src/time/system-clock.ts";
import { silent } from "./open.ts";

export const TINY_LEAVES = { rows: 3, marks: 4, orders: 2 };

export const LIST = "things";

export async function openLists(driver: ExtendedDriver, options: ListOptions, timeoutMs = 30_000): Promise<Lists> {
  const clock = systemClock;
  const ownership = createOwnership({ driver, clock, ids: createIds(clock), logger: silent, timeoutMs });
  await ownership.take();
  const items = createChecksummedItems({
    driver: ownership.driver,
    clock,
    codec: createChecksumCodec(nodeHash),
    timeoutMs,
  });
  return createLists(items, ownership, options);
}

/** The rows of a list by ID. */
export type Rows = ReadonlyMap<string, Row>;

export function withChange(rows: Rows, change: RowChange): Rows {
  const next = new Map(rows);
  if ("put" in change) next.set(change.put.id, change.put);
  else next.delete(change.delete);
  return next;
}

const orderOf = ({ id, order = id }: Row) => order;
const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));

/** Returns all IDs that match a query, from its `after` on, and their number regardless of it. */
export function look(rows: Rows, query: ListQuery): { readonly ids: readonly string[]; readonly total: number } {
  const { marks = [], from, until, search = "", descending = true, after } = query;
  const matching = [...rows.values()]
    .filter((row) => (from === undefined || orderOf(row) >= from) && (until === undefined || orderOf(row) <= until))
    .filter(({ text = "" }) => text.includes(search))
    .filter((row) => marks.every((group) => group.some((one) => row.marks?.includes(one))))
    .sort((one, other) => compare(orderOf(one), orderOf(other)) || compare(one.id, other.id));
  if (descending) matching.reverse();
  const start = after === undefined ? -1 : matching.findIndex((row) => row.id === after.split(":")[0]);
  return { ids: matching.slice(start + 1).map(({ id }) => id), total: matching.length };
}

/** Follows the pages of a query to the end. */
export async function readPages(lists: Lists, query: ListQuery) {
  const ids: string[] = [];
  const totals: (number | undefined)[] = [];
  for (let next: ListQuery | null = query; next !== null; ) {
    const page = await lists.query(LIST, next);
    ids.push(...page.ids);
    totals.push(page.total);
    next = page.next === undefined ? null : { ...query, offset: 0, after: page.next };
    if (next !== null && page.ids.length !== query.limit)
      throw new Error("A page that is not the last one must be full.");
  }
  return { ids, totals };
}

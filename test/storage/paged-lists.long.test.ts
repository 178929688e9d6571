/** Lists whose leaves are read when they are needed and given up again, compared with a loop over all rows. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ListQuery, RowChange, RowPage } from "../../src/ports/store.ts";
import { driverOf } from "../support/storage/damaged-storage.ts";
import { LIST, look, openLists, type Rows, readPages, TINY_LEAVES, withChange } from "../support/storage/row-lists.ts";

const id = fc.nat(40).map((n) => `row${String(n).padStart(2, "0")}`);
const mark = fc.constantFrom(
  "often",
  "often",
  "often",
  "sometimes",
  "sometimes",
  "seldom",
  "never",
  "tag\nx",
  "tag\nxy",
);
const order = fc.constantFrom("a", "b", "c", "d");
const row = fc.record({
  id,
  order: fc.option(order, { nil: undefined }),
  text: fc.constantFrom("x", "xy", "", "yx"),
  marks: fc.array(mark, { maxLength: 4 }),
});
const change: fc.Arbitrary<RowChange> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ list: fc.constant(LIST), put: row }) },
  { weight: 1, arbitrary: fc.record({ list: fc.constant(LIST), delete: id }) },
);
const query: fc.Arbitrary<ListQuery> = fc.record(
  {
    limit: fc.integer({ min: 1, max: 7 }),
    offset: fc.nat(9),
    descending: fc.boolean(),
    from: order,
    until: order,
    search: fc.constantFrom("x", "y", "yx"),
    marks: fc.array(fc.array(mark, { maxLength: 3 }), { maxLength: 3 }),
  },
  { requiredKeys: ["limit"] },
);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ does: fc.constant("change" as const), change }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant("query" as const), query }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("save" as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("reopen" as const) }) },
  // Queries that are not awaited before rows change and a checkpoint begins.
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant("race" as const),
      queries: fc.array(query, { minLength: 1, maxLength: 3 }),
      changes: fc.array(change, { minLength: 1, maxLength: 6 }),
      saves: fc.boolean(),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What a page shows, and whether more follow. */
const shownBy = ({ ids, total, next }: RowPage) => ({ ids, total, more: next !== undefined });

function expectedPage(rows: Rows, query: ListQuery) {
  const { offset = 0, limit, search } = query;
  const { ids, total } = look(rows, query);
  const isSearch = search !== undefined;
  return {
    ids: ids.slice(offset, offset + limit),
    total: isSearch ? undefined : total,
    more: ids.length > offset + limit,
  };
}

async function run(steps: readonly Step[], cacheSize: number): Promise<void> {
  const data = new Map<string, string>();
  const options = { sizes: TINY_LEAVES, cacheSize };
  let lists = await openLists(driverOf(data), options);
  let rows: Rows = new Map();
  for (const one of steps) {
    if (one.does === "change") {
      rows = withChange(rows, one.change);
      lists.apply(one.change);
    } else if (one.does === "query") {
      const { ids, totals } = await readPages(lists, one.query);
      const wanted = look(rows, one.query);
      expect(ids).toEqual(wanted.ids.slice(one.query.offset ?? 0));
      expect(new Set(totals)).toEqual(new Set([one.query.search === undefined ? wanted.total : undefined]));
    } else if (one.does === "race") {
      const moments: Rows[] = [rows];
      const saving = one.saves ? lists.save() : undefined;
      const pages = one.queries.map((given) => lists.query(LIST, given));
      for (const later of one.changes) {
        await undefined;
        rows = withChange(rows, later);
        moments.push(rows);
        lists.apply(later);
      }
      for (const [index, given] of one.queries.entries()) {
        const shown = shownBy(await Promise.resolve(pages[index] ?? Promise.reject(new Error("no page"))));
        expect(moments.map((moment) => expectedPage(moment, given))).toContainEqual(shown);
      }
      await saving;
    } else {
      await lists.save();
      expect(lists.held.size).toBeLessThanOrEqual(cacheSize);
      if (one.does === "reopen") lists = await openLists(driverOf(data), options);
      const stored = await (await openLists(driverOf(new Map(data)), options)).read(LIST);
      expect(stored.map((row) => row.id).sort()).toEqual([...rows.keys()].sort());
    }
  }
  for (const name of ["often", "sometimes", "seldom", "tag\nx"]) {
    const count = [...rows.values()].filter(({ marks = [] }) => marks.includes(name)).length;
    expect((await lists.query(LIST, { limit: 0, marks: [[name]] })).total).toBe(count);
  }
}

describe("lists with tiny leaves return what a loop over all rows returns, page by page", () => {
  it.each([
    ["that all stay in memory", 1_000_000],
    ["of which memory keeps a few", 400],
    ["of which memory keeps none", 0],
  ])("%s", async (_, cacheSize) => {
    const steps = fc.array(step, { minLength: 30, maxLength: 120, size: "max" });
    await fc.assert(
      fc.asyncProperty(steps, (given) => run(given, cacheSize)),
      { numRuns: 40 },
    );
  });
});

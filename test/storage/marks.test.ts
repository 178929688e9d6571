/** Queries of a list by marks that few or many rows have, compared with a loop over all rows. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { ListQuery, Row } from "../../src/ports/store.ts";
import { MAX_RARE_ROWS } from "../../src/storage/lists/marked-rows.ts";
import { queryRows } from "../../src/storage/lists/row-query.ts";
import { createRowTree, deleteRow, putRow } from "../../src/storage/lists/row-tree.ts";

const id = fc.nat(23).map((n) => `row${String(n).padStart(2, "0")}`);
const mark = fc.constantFrom("often", "often", "often", "sometimes", "sometimes", "seldom", "never");
/** Rows that have a mark of each frequency from the beginning, on both sides of the limit. */
const COMMON: readonly Row[] = Array.from({ length: MAX_RARE_ROWS }, (_, n) => {
  const marks = n < MAX_RARE_ROWS - 3 ? ["often", "sometimes"] : ["often"];
  return { id: `row${String(n).padStart(3, "0")}`, marks };
});
const order = fc.constantFrom("a", "b", "c");
const row = fc.record({
  id,
  order: fc.option(order, { nil: undefined }),
  text: fc.constantFrom("x", "xy", ""),
  marks: fc.array(mark, { maxLength: 4 }),
});
const change = fc.oneof(
  { weight: 5, arbitrary: fc.record({ put: row }) },
  { weight: 1, arbitrary: fc.record({ delete: id }) },
);
const query = fc.record(
  {
    limit: fc.integer({ min: 1, max: 5 }),
    offset: fc.nat(2),
    descending: fc.boolean(),
    from: order,
    until: order,
    search: fc.constantFrom("x", "y"),
    marks: fc.array(fc.array(mark, { maxLength: 2 }), { maxLength: 2 }),
  },
  { requiredKeys: ["limit", "marks"] },
);

const orderOf = ({ id, order = id }: Row) => order;
const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));

function expected(rows: readonly Row[], { marks = [], from, until, search = "", descending = true }: ListQuery) {
  const found = rows
    .filter((row) => (from === undefined || orderOf(row) >= from) && (until === undefined || orderOf(row) <= until))
    .filter(({ text = "" }) => text.includes(search))
    .filter((row) => marks.every((group) => group.some((one) => row.marks?.includes(one))))
    .sort((one, other) => compare(orderOf(one), orderOf(other)) || compare(one.id, other.id))
    .map((row) => row.id);
  return descending ? found.reverse() : found;
}

it("Queries by marks return what a loop over all rows returns, page by page", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(change, fc.record({ query })), { minLength: 40, maxLength: 120 }), (steps) => {
      const list = createRowTree();
      const rows = new Map(COMMON.map((row) => [row.id, row]));
      for (const row of COMMON) putRow(list, row);
      for (const step of steps) {
        if ("put" in step) {
          rows.set(step.put.id, step.put);
          putRow(list, step.put);
        } else if ("delete" in step) {
          rows.delete(step.delete);
          deleteRow(list, step.delete);
        } else {
          const all = expected([...rows.values()], step.query);
          const wanted = all.slice(step.query.offset ?? 0);
          const found: string[] = [];
          for (let query: ListQuery = step.query; ; ) {
            const page = queryRows(list, query);
            found.push(...page.ids);
            expect(page.total).toBe(query.search === undefined ? all.length : undefined);
            if (page.next === undefined) break;
            expect(page.ids.length).toBe(query.limit);
            query = { ...query, offset: 0, after: page.next };
          }
          expect(found).toEqual(wanted);
        }
      }
      for (const name of ["often", "sometimes", "seldom"]) {
        const count = [...rows.values()].filter(({ marks = [] }) => marks.includes(name)).length;
        expect(queryRows(list, { limit: 1, marks: [[name]] }).total).toBe(count);
      }
    }),
    { numRuns: 80 },
  );
});

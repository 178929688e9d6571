/** Lists in memory, whose changes wait: compared with maps that change at once. */
import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { MemoryLists } from "../../src/storage/lists/memory-lists.ts";
import * as rowLists from "../../src/storage/lists/trees/row-list.ts";

const LISTS = ["a", "b", "c"] as const;
/** More rows than wait at most: 1,000. */
const ROWS = 1_500;

const keysOf = (lists: MemoryLists, name: string) =>
  lists.get(name)?.rows.leaves.flatMap(({ content }) => content?.key ?? []) ?? [];

const id = fc.nat(ROWS).map((n) => `row${String(n).padStart(4, "0")}`);
const list = fc.constantFrom(...LISTS);
const step = fc.oneof(
  { weight: 200, arbitrary: fc.record({ does: fc.constant("put" as const), list, id }) },
  { weight: 50, arbitrary: fc.record({ does: fc.constant("delete" as const), list, id }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("read" as const), list }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("read all" as const) }) },
);

it("a list has each of its changes, whatever waits and is read between", () => {
  const steps = fc.array(step, { minLength: 3_000, maxLength: 6_000, size: "max" });
  fc.assert(
    fc.property(steps, (all) => {
      const lists = new MemoryLists();
      const rows = new Map<string, Set<string>>(LISTS.map((name) => [name, new Set()]));
      const expectSame = (name: string) => expect(keysOf(lists, name)).toEqual([...(rows.get(name) ?? [])].sort());
      for (const one of all) {
        if (one.does === "put") {
          rows.get(one.list)?.add(one.id);
          lists.change({ list: one.list, put: { id: one.id } });
        } else if (one.does === "delete") {
          rows.get(one.list)?.delete(one.id);
          lists.change({ list: one.list, delete: one.id });
        } else if (one.does === "read") {
          expectSame(one.list);
        } else {
          const filled = LISTS.filter((name) => (rows.get(name)?.size ?? 0) > 0);
          expect([...lists].map(([name]) => name).sort()).toEqual(filled);
        }
      }
      LISTS.forEach(expectSame);
    }),
    { numRuns: 20 },
  );
});

it("a change of one row applies only few others, and of several changes of a row only the last", () => {
  const applied = vi.spyOn(rowLists, "changeRow");
  const lists = new MemoryLists();
  let most = 0;
  for (let n = 0; n < 20_000; n++) {
    const before = applied.mock.calls.length;
    for (const text of ["begins", "ends"]) lists.change({ list: LISTS[n % 3] ?? "a", put: { id: `row${n}`, text } });
    most = Math.max(most, applied.mock.calls.length - before);
  }
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThan(20);
  expect(applied.mock.calls.length).toBeLessThanOrEqual(20_000);
  expect(applied.mock.calls.length).toBeGreaterThan(18_000);
  applied.mockRestore();
});

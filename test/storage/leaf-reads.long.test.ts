/** What reading leaves of lists costs and survives: how many are read and kept, and drivers that fail or hang meanwhile. */
import { describe, expect, it } from "vitest";
import type { ExtendedDriver } from "../../src/ports/driver.ts";
import type { ListQuery, Row } from "../../src/ports/store.ts";
import type { Lists } from "../../src/storage/lists/lists.ts";
import { type Data, driverOf } from "../support/storage/damaged-storage.ts";
import { LIST, look, openLists, readPages, TINY_LEAVES } from "../support/storage/row-lists.ts";

const isLeaf = (key: string) => new RegExp(`^list:${LIST}:\\d`).test(key);

/** A driver that calls `before` with the number of each read of a leaf. */
function watching(data: Data, before: (read: number) => void | Promise<void>): ExtendedDriver {
  const driver = driverOf(data);
  let reads = 0;
  return {
    ...driver,
    async getItem(key, options) {
      if (isLeaf(key)) await before(++reads);
      return driver.getItem.call(driver, key, options);
    },
  };
}

/** Stores rows, and returns what is stored. */
async function stored(rows: readonly Row[], options: object): Promise<Data> {
  const data: Data = new Map();
  const lists = await openLists(driverOf(data), options);
  for (const put of rows) lists.apply({ list: LIST, put });
  await lists.save();
  return data;
}

const byId = (rows: readonly Row[]) => new Map(rows.map((row) => [row.id, row]));

describe("a list of 100,000 rows", () => {
  const MANY = 100_000;
  const KEPT = 1_000_000;
  const sizes = { rows: 500, marks: 1_000, orders: 500 };
  const rows = Array.from({ length: MANY }, (_, n): Row => {
    const marks = [`status:${n % 3}`, `group:${n % 7}`, ...(n % 9_973 === 0 ? ["rare"] : [])];
    return {
      id: `row${n * 7_919}`,
      order: String(n).padStart(6, "0"),
      text: n % 1_000 === 0 ? `note ${n}` : "",
      marks,
    };
  });
  const queries: readonly ListQuery[] = [
    { limit: 100 },
    { limit: 100, descending: false, offset: 51_234 },
    { limit: 100, after: `row${50_000 * 7_919}:050000` },
    { limit: 50, marks: [["status:1"]] },
    { limit: 50, marks: [["status:1"]], offset: 20_000 },
    { limit: 20, marks: [["rare"]] },
    { limit: 20, marks: [["rare"], ["group:0", "group:3"]] },
    { limit: 50, marks: [["status:1"], ["group:2", "group:4"]], descending: false },
    { limit: 50, marks: [["status:0", "status:2"]], from: "020000", until: "030000" },
    { limit: 5, marks: [["none"]] },
    { limit: 5, marks: [["none"], ["status:1"]] },
    { limit: 20, search: "note 9" },
    { limit: 20, search: "note", marks: [["status:1"]] },
    { limit: 20, search: "nothing" },
  ];

  it("is read as a loop over all rows reads it, and memory keeps a limited part", async () => {
    const data = await stored(rows, { sizes });
    let reads = 0;
    const lists = await openLists(
      watching(data, (read) => {
        reads = read;
      }),
      { cacheSize: KEPT, sizes },
    );
    const all = byId(rows);
    const readsOf: number[] = [];
    for (const query of queries) {
      const before = reads;
      const page = await lists.query(LIST, query);
      readsOf.push(reads - before);
      const { ids, total } = look(all, query);
      const { offset = 0, limit, search, after } = query;
      expect(page.ids).toEqual(ids.slice(offset, offset + limit));
      expect(page.total).toBe(search === undefined ? (after === undefined ? total : MANY) : undefined);
      expect(lists.held.size).toBeLessThanOrEqual(KEPT);
    }
    const leaves = [...data.keys()].filter(isLeaf).length;
    expect(leaves).toBeGreaterThan(400);
    // Pages and filters by one mark, with and without hits.
    expect(Math.max(...readsOf.slice(0, 6), ...readsOf.slice(9, 11))).toBeLessThan(8);
    expect(Math.max(...readsOf)).toBeLessThan(leaves);
    expect(lists.held.leaves).toBeLessThan(leaves / 10);
  });

  it("keeps as many leaves in memory as a list that is a tenth of it, whatever is read and changed", async () => {
    const held: number[] = [];
    for (const part of [rows.slice(0, MANY / 10), rows]) {
      const lists = await openLists(driverOf(await stored(part, { sizes })), { cacheSize: KEPT, sizes });
      for (const query of queries) await lists.query(LIST, query);
      for (const put of part.filter((_, n) => n % 997 === 0)) lists.apply({ list: LIST, put: { ...put, text: "new" } });
      await lists.save();
      await lists.query(LIST, { limit: 100 });
      held.push(lists.held.size);
    }
    expect(Math.max(...held)).toBeLessThanOrEqual(KEPT);
  });
});

describe("a driver that fails while leaves are read", () => {
  const rows = Array.from(
    { length: 40 },
    (_, n): Row => ({
      ...{ id: `row${n * 37}`, order: String(n).padStart(2, "0"), text: `t${n}`, marks: [`m:${n % 3}`, `n:${n % 2}`] },
    }),
  );
  const QUERIES: readonly ListQuery[] = [
    { limit: 5 },
    { limit: 5, marks: [["m:1"]] },
    { limit: 5, marks: [["m:1", "m:2"], ["n:0"]] },
    { limit: 5, search: "t3", descending: false },
  ];
  const changed = { id: "row370", order: "99", text: "changed", marks: ["m:0", "n:1"] };
  const after = byId([...rows.filter(({ id }) => id !== changed.id), changed]);

  async function expectAll(lists: Lists): Promise<void> {
    for (const query of QUERIES) expect((await readPages(lists, query)).ids).toEqual(look(after, query).ids);
  }

  /** Queries and changes a list while one read of a leaf does not succeed; returns whether it was reached. */
  async function survive(at: number, fault: () => void | Promise<void>): Promise<boolean> {
    const options = { sizes: TINY_LEAVES, cacheSize: 300 };
    const data = await stored(rows, options);
    let isReached = false;
    let isOver = false;
    const driver = watching(data, (read) => {
      if (read !== at || isOver) return;
      isReached = true;
      return fault();
    });
    const lists = await openLists(driver, options, 5);
    const pages = QUERIES.map((query) => Promise.resolve(lists.query(LIST, query)));
    lists.apply({ list: LIST, put: changed });
    const saving = lists.save();
    for (const outcome of await Promise.allSettled([...pages, saving])) {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "unavailable" });
    }
    isOver = true;
    await expectAll(lists);
    await lists.save();
    await expectAll(await openLists(driverOf(data), options));
    return isReached;
  }

  it.each([
    ["rejects", () => Promise.reject(new Error("the disk is broken"))],
    ["hangs", () => new Promise<void>(() => undefined)],
  ])("that %s loses nothing, at any read", async (_, fault) => {
    let reached = 0;
    for (let at = 1; await survive(at, fault); at++) reached++;
    expect(reached).toBeGreaterThan(10);
  });
});

it("Of many lists, those that were not used for long leave memory, and are read again", async () => {
  const data: Data = new Map();
  const roots: string[] = [];
  const driver = driverOf(data);
  const { getItems } = driver;
  const watched: ExtendedDriver = {
    ...driver,
    getItem(key, options) {
      if (key.endsWith(":a")) roots.push(key);
      return driver.getItem.call(driver, key, options);
    },
    ...(getItems && {
      getItems(items, options) {
        for (const { key } of items) if (key.endsWith(":a")) roots.push(key);
        return getItems.call(driver, items, options);
      },
    }),
  };
  const lists = await openLists(watched, {});
  const names = Array.from({ length: 1_200 }, (_, n) => `list${n}`);
  for (const list of names) lists.apply({ list, put: { id: "a" } });
  await lists.save();
  const read = async (name: string) => {
    roots.length = 0;
    expect((await lists.query(name, { limit: 1 })).ids).toEqual(["a"]);
    return roots.length;
  };
  expect(await read("list1199")).toBe(0);
  expect(await read("list0")).toBe(1);
  expect(await read("list0")).toBe(0);
  lists.apply({ list: "list0", put: { id: "b" } });
  for (const name of names.slice(1)) await read(name);
  for (const name of names.slice(1)) await read(name);
  roots.length = 0;
  expect((await lists.query("list0", { limit: 5 })).ids).toEqual(["b", "a"]);
  expect(roots).toEqual([]);
});

it("A change that comes at any moment of a checkpoint is stored by the next one", async () => {
  const options = { sizes: TINY_LEAVES, cacheSize: 0 };
  const rows = Array.from({ length: 12 }, (_, n): Row => ({ id: `row${n}`, order: `${n}`, marks: [`m${n}`] }));
  const before = await stored(rows, options);
  for (let turns = 0; turns < 400; turns++) {
    const data = new Map(before);
    const lists = await openLists(driverOf(data), options);
    lists.apply({ list: LIST, put: { id: "row1", order: "1", marks: ["changed"] } });
    const saving = lists.save();
    for (let turn = 0; turn < turns; turn++) await undefined;
    lists.apply({ list: LIST, put: { id: "row8", order: "8", marks: ["late"] } });
    await saving;
    await lists.save();
    const next = await openLists(driverOf(data), options);
    expect((await next.query(LIST, { limit: 5, marks: [["changed", "late"]] })).ids).toEqual(["row8", "row1"]);
  }
});

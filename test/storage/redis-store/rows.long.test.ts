/** Lists of thousands of rows on Redis, against a plain loop over them. */
import { describe, expect, inject, it } from "vitest";
import type { ListQuery, Row, Store } from "../../../src/ports/store.ts";
import { openRedisStore, uniquePrefix } from "../../support/storage/redis-stores.ts";

const PER_COMMIT = 1_000;
const orderOf = ({ id, order = id }: Row) => order;
const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

async function putRows(store: Store, rows: readonly Row[]): Promise<void> {
  for (let at = 0; at < rows.length; at += PER_COMMIT) {
    const changes = rows.slice(at, at + PER_COMMIT).map((put) => ({ list: "things", put }));
    await store.commit([{ key: `thing:n${at}`, document: {}, rows: changes }]);
  }
}

function expected(all: readonly Row[], query: ListQuery) {
  const { search, marks = [], from, until, descending = true, offset = 0, limit } = query;
  const rows = all
    .filter((row) => (from === undefined || orderOf(row) >= from) && (until === undefined || orderOf(row) <= until))
    .filter(({ text = "" }) => search === undefined || text.includes(search))
    .filter((row) => marks.every((group) => group.some((mark) => row.marks?.includes(mark))))
    .sort((one, other) => compare(orderOf(one), orderOf(other)) || compare(one.id, other.id));
  if (descending) rows.reverse();
  return {
    ids: rows.slice(offset, offset + limit).map(({ id }) => id),
    total: search === undefined ? rows.length : undefined,
    more: limit > 0 && rows.length > offset + limit,
  };
}

async function found(store: Store, query: ListQuery) {
  const { ids, total, next } = await store.list("things", query);
  return { ids, total, more: next !== undefined };
}

const SPECIAL_MARKS = ['a:"b"', "\u0000", "\ud800", "\\u0000", "with space", "🌊", ""];

describe("a list of 3,000 rows on Redis", () => {
  const rows: Row[] = Array.from({ length: 3_000 }, (_, n) => ({
    id: `id${String(n).padStart(4, "0")}`,
    ...(n % 2 === 0 ? { order: `2026-${String((n * 7_919) % 500).padStart(4, "0")}` } : {}),
    text: `row ${n % 7} of ${n % 11 === 0 ? "grün \u0000 🌊" : "red"}`,
    marks: [
      "all",
      `third:${n % 3}`,
      `tenth:${n % 10}`,
      ...(n % 500 === 0 ? ["rare"] : []),
      SPECIAL_MARKS[n % SPECIAL_MARKS.length] ?? "",
    ],
  }));
  const GROUPS = [
    undefined,
    [["all"]],
    [["third:1"]],
    [["third:1", "third:2"]],
    [["third:1"], ["tenth:4", "tenth:5"]],
    [["all"], ["third:0", "rare"], ["tenth:0", "tenth:7", "none"]],
    [["rare"], ["all"]],
    ...SPECIAL_MARKS.map((mark) => [[mark]]),
  ];
  const QUERIES: readonly ListQuery[] = [
    { limit: 20 },
    { limit: 20, offset: 990, descending: false },
    { limit: 1_500, offset: 100 },
    { limit: 3_000 },
    { limit: 7, from: "2026-0100", until: "2026-0300" },
    { limit: 7, from: "id1000", until: "id1999", offset: 3, descending: false },
    { limit: 50, search: "grün" },
    { limit: 50, search: "\u0000 🌊", offset: 20, descending: false },
    { limit: 0 },
  ];

  it("returns what a plain loop returns, for marks, searches, ranges and long pages", async () => {
    const store = openRedisStore(inject("redis"), { prefix: uniquePrefix() });
    await putRows(store, rows);
    for (const marks of GROUPS) {
      for (const query of QUERIES) {
        const whole = marks === undefined ? query : { ...query, marks };
        expect(await found(store, whole), JSON.stringify(whole)).toEqual(expected(rows, whole));
      }
    }
    await store.close();
  });

  it("leads through all rows page by page, in both directions", async () => {
    const store = openRedisStore(inject("redis"), { prefix: uniquePrefix() });
    await putRows(store, rows);
    for (const query of [
      { limit: 170 },
      { limit: 170, descending: false },
      { limit: 90, marks: [["third:1", "third:2"], ["all"]] },
      { limit: 90, search: "red", from: "2026-0100", descending: false },
    ]) {
      const ids: string[] = [];
      let after: string | undefined;
      do {
        const page: Awaited<ReturnType<Store["list"]>> = await store.list("things", { ...query, after });
        ids.push(...page.ids);
        after = page.next;
      } while (after !== undefined);
      expect(ids).toEqual(expected(rows, { ...query, limit: rows.length }).ids);
    }
    await store.close();
  });

  it("ends a page of a search after 100,000 rows, and continues behind them", async () => {
    const store = openRedisStore(inject("redis"), { prefix: uniquePrefix() });
    const many = Array.from({ length: 100_500 }, (_, n) => ({
      id: `id${String(n).padStart(6, "0")}`,
      text: n === 100_400 ? "needle" : "hay",
    }));
    await putRows(store, many);
    const first = await store.list("things", { limit: 10, search: "needle", descending: false });
    expect(first).toEqual({ ids: [], next: "id099999" });
    const second = await store.list("things", { limit: 10, search: "needle", descending: false, after: "id099999" });
    expect(second).toEqual({ ids: ["id100400"] });
    expect((await store.list("things", { limit: 2, offset: 60_000 })).ids).toEqual(["id040499", "id040498"]);
    await store.close();
  });

  it("rejects rows that Redis would sort differently", async () => {
    const store = openRedisStore(inject("redis"), { prefix: uniquePrefix() });
    for (const put of [{ id: "ä" }, { id: "a", order: "ä" }, { id: "a", order: "b\u0000" }]) {
      const rows = [{ list: "things", put }];
      await expect(store.commit([{ key: "thing:a", document: {}, rows }])).rejects.toMatchObject({ code: "internal" });
    }
    expect(await store.get("thing:a")).toBeNull();
    await store.close();
  });

  it("rejects a page of documents of which one is missing", async () => {
    const store = openRedisStore(inject("redis"), { prefix: uniquePrefix() });
    await store.commit([
      { key: "thing:a", document: { n: 1 }, rows: [{ list: "things", put: { id: "a" } }] },
      { key: "thing:b", document: null, rows: [{ list: "things", put: { id: "b" } }] },
    ]);
    const page = store.listDocuments("things", { limit: 9 }, (id) => `thing:${id}`);
    await expect(page).rejects.toMatchObject({ code: "unavailable", message: expect.stringContaining("thing:b") });
    await store.commit([{ key: "thing:b", document: { n: 2 }, expected: null }]);
    const { documents } = await store.listDocuments<{ n: number }>("things", { limit: 9 }, (id) => `thing:${id}`);
    expect(documents.map(({ document }) => document.n)).toEqual([2, 1]);
    await store.close();
  });
});

/** What every implementation of the store port must do. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { foldText } from "../../../src/documents/pagination.ts";
import { omitUndefined } from "../../../src/json.ts";
import type { Key, ListQuery, Store } from "../../../src/ports/store.ts";
import { everyNth, times } from "../sample.ts";

/** A store that can be closed and opened again on the same storage. */
export interface StoreFixture {
  open(): Store;
  clean(): Promise<void>;
}

const put = (id: string, order?: string) => ({
  key: `thing:${id}` as const,
  document: { id },
  rows: [{ list: "things", put: { id, ...(order === undefined ? {} : { order }) } }],
});

/** Texts that look like something else or are hard to store. */
const TEXTS = [
  "123",
  "true",
  "null",
  "{}",
  "",
  "__proto__",
  "\u0000",
  "\ud800",
  "é\u0301",
  "🌊",
  "a?b:c/../d\\e",
  "x".repeat(200_000),
];

/** @param increments How many of one document eight clients race for. */
export function storeContract(name: string, createFixture: () => Promise<StoreFixture>, increments = 200): void {
  describe(`store on ${name}`, () => {
    let fixture: StoreFixture;
    let store: Store;

    beforeEach(async () => {
      fixture = await createFixture();
      store = fixture.open();
    });
    afterEach(async () => {
      await store.close();
      await fixture.clean();
    });
    const reopen = async () => {
      await store.close();
      store = fixture.open();
    };
    const ids = async (query: Partial<ListQuery> = {}) => (await store.list("things", { limit: 100, ...query })).ids;

    it("returns null and empty lists for what was never stored", async () => {
      expect(await store.get("thing:none")).toBeNull();
      expect(await store.getMany(["thing:none", "thing:neither"])).toEqual([null, null]);
      expect(await store.list("things", { limit: 10 })).toEqual({ ids: [], total: 0 });
      await reopen();
      expect(await store.get("thing:none")).toBeNull();
    });

    it("returns null and empty lists for keys and names that cannot exist", async () => {
      for (const id of ["", "..", "../../etc/passwd", "A", "a?b", "a/b", "a".repeat(10_000), "\u0000"]) {
        expect(await store.get(`thing:${id}`)).toBeNull();
        expect(await store.list(`things.${id}/`, { limit: 1 })).toMatchObject({ ids: [] });
      }
    });

    it("returns documents exactly as stored, before and after a restart", async () => {
      const document = {
        texts: TEXTS,
        deep: { list: [1, -1.5, 1e300, true, null, { a: [] }] },
        ...JSON.parse('{"own":{"__proto__":{"x":1},"constructor":2,"toString":3}}'),
      };
      await store.commit([{ key: "thing:one", document }]);
      const json = JSON.stringify(document);
      expect(JSON.stringify((await store.get("thing:one"))?.document)).toBe(json);
      await reopen();
      const found = await store.get<typeof document>("thing:one");
      expect(JSON.stringify(found?.document)).toBe(json);
      expect(found?.document.texts).toEqual(TEXTS);
      expect(found?.version).toBe(1);
    });

    it("returns the text of a document, or the start of it, before and after a restart", async () => {
      const document = { texts: TEXTS, pairs: "🌊é\u0007".repeat(times(30_000, 100_000)) };
      const large = { key: "thing:large", document } as const;
      const listed = { key: "thing:listed", document, rows: [{ list: "things", put: { id: "listed" } }] } as const;
      await store.commit([large, listed, { key: "thing:gone", document: {} }]);
      await store.commit([{ key: "thing:gone", document: null }]);
      const json = JSON.stringify(document);
      const expectTexts = async () => {
        for (const key of [large.key, listed.key]) {
          expect(await parsedText(key)).toBe(json);
          const whole = (await store.getText(key)) ?? "";
          for (const length of [1, 40, times(300_001, 1_000_001), whole.length, whole.length + 1]) {
            expect(await store.getText(key, length)).toBe(whole.slice(0, length));
          }
        }
        for (const id of ["gone", "none", "../A"]) expect(await store.getText(`thing:${id}`)).toBeNull();
      };
      const parsedText = async (key: Key) => JSON.stringify(JSON.parse((await store.getText(key)) ?? ""));
      await expectTexts();
      await reopen();
      await expectTexts();
      await store.commit([{ ...large, document: { n: 2 } }]);
      expect(await store.getText(large.key, 6)).toBe('{"n":2');
    });

    it("copies documents on commit and returns them frozen", async () => {
      const document = { list: [1] };
      const marks = ["a"];
      const pending = store.commit([
        { key: "thing:one", document, rows: [{ list: "things", put: { id: "one", marks } }] },
      ]);
      document.list.push(2);
      marks.push("b");
      await pending;
      const found = await store.get<typeof document>("thing:one");
      expect(found?.document).toEqual({ list: [1] });
      expect(() => found?.document.list.push(3)).toThrow(TypeError);
      expect(await ids({ marks: [["b"]] })).toEqual([]);
    });

    it("counts versions and rejects any other expected version with the key of the conflict", async () => {
      const key = "thing:one";
      await store.commit([{ key, document: { n: 1 }, expected: null }]);
      await store.commit([{ key, document: { n: 2 }, expected: 1 }]);
      for (const expected of [null, 1, 3]) {
        const late = store.commit([
          { key: "thing:two", document: {} },
          { key, document: { n: 9 }, expected },
        ]);
        await expect(late).rejects.toMatchObject({ code: "conflict", key });
      }
      await reopen();
      expect(await store.get(key)).toEqual({ version: 2, document: { n: 2 } });
      expect(await store.get("thing:two")).toBeNull();
      await expect(store.commit([{ key, document: {}, expected: 1 }])).rejects.toMatchObject({ code: "conflict" });
      await store.commit([{ key, document: null, expected: 2 }]);
      await expect(store.commit([{ key, document: {}, expected: 2 }])).rejects.toMatchObject({ code: "conflict" });
      await store.commit([{ key, document: { n: 3 }, expected: null }]);
      expect(await store.get(key)).toEqual({ version: 1, document: { n: 3 } });
    });

    it("lets exactly one of many concurrent creations succeed, with its rows", async () => {
      const tries = Array.from({ length: 20 }, (_, n) =>
        store.commit([
          { key: "thing:one", document: { n }, expected: null, rows: [{ list: "things", put: { id: `${n}` } }] },
        ]),
      );
      const results = await Promise.allSettled(tries);
      const winners = results.flatMap((result, n) => (result.status === "fulfilled" ? [n] : []));
      expect(winners).toHaveLength(1);
      expect(await ids()).toEqual(winners.map(String));
      expect((await store.get("thing:one"))?.document).toEqual({ n: winners[0] });
    });

    it(`loses none of ${increments} racing increments`, async () => {
      await store.commit([{ key: "thing:sum", document: { n: 0 } }]);
      const increment = async () => {
        for (;;) {
          const found = await store.get<{ n: number }>("thing:sum");
          const document = { n: (found?.document.n ?? 0) + 1 };
          try {
            return await store.commit([{ key: "thing:sum", document, expected: found?.version ?? null }]);
          } catch (error) {
            expect(error).toMatchObject({ code: "conflict" });
          }
        }
      };
      const worker = async () => {
        for (let n = 0; n < increments / 8; n++) await increment();
      };
      await Promise.all(Array.from({ length: 8 }, worker));
      await reopen();
      expect(await store.get("thing:sum")).toEqual({ version: increments + 1, document: { n: increments } });
    });

    it("settles every commit, at whatever moment it arrives", async () => {
      const moments = Array.from({ length: 24 }, (_, hops) => hops);
      for (const hops of moments) {
        const first = store.commit([put(`a${hops}`)]);
        // Each after another number of microtasks, some exactly when the first one settles.
        for (let hop = 0; hop < hops; hop++) await undefined;
        await Promise.all([first, store.commit([put(`b${hops}`)])]);
      }
      expect((await store.list("things", { limit: 1 })).total).toBe(2 * moments.length);
    });

    it("lists newest first or oldest first, by offset and by position", async () => {
      const all = Array.from({ length: 25 }, (_, n) => `id${String(n).padStart(2, "0")}`);
      await store.commit(all.map((id) => put(id)));
      const newest = all.toReversed();
      expect(await store.list("things", { limit: 10 })).toEqual({ ids: newest.slice(0, 10), total: 25, next: "id15" });
      expect(await ids({ limit: 10, offset: 20 })).toEqual(newest.slice(20));
      expect(await ids({ offset: 25 })).toEqual([]);
      expect(await ids({ descending: false, limit: 3, offset: 1 })).toEqual(all.slice(1, 4));
      expect((await store.list("things", { limit: 25 })).next).toBeUndefined();
      await reopen();
      const first = await store.list("things", { limit: 10 });
      // Rows that are added or removed in between don't shift the next page.
      await store.commit([
        put("id99"),
        { key: "thing:id15", document: null, rows: [{ list: "things", delete: "id15" }] },
      ]);
      const second = await store.list("things", { limit: 10, after: first.next ?? "" });
      expect(second.ids).toEqual(newest.slice(10, 20));
      expect(second.total).toBe(25);
      expect(await ids({ after: "any text: it stands somewhere" })).toEqual([]);
    });

    it("orders rows by their order, moves a row whose order changes, and lists up to a limit", async () => {
      await store.commit([put("a", "3"), put("b", "1"), put("c", "2"), put("d", "2")]);
      expect(await ids({ descending: false })).toEqual(["b", "c", "d", "a"]);
      expect(await store.list("things", { limit: 9, descending: false, until: "2" })).toEqual({
        ids: ["b", "c", "d"],
        orders: ["1", "2", "2"],
        total: 3,
      });
      expect(await store.list("things", { limit: 2, descending: false })).toMatchObject({
        ids: ["b", "c"],
        next: "c:2",
      });
      expect(await store.list("things", { limit: 9, from: "2", until: "2" })).toMatchObject({
        ids: ["d", "c"],
        total: 2,
      });
      expect(await ids({ descending: false, from: "2", after: "b:1" })).toEqual(["c", "d", "a"]);
      expect(await ids({ from: "3", after: "c:2" })).toEqual([]);
      expect(await ids({ descending: false, after: "c:2" })).toEqual(["d", "a"]);
      expect(await ids({ after: "d:2" })).toEqual(["c", "b"]);
      await store.commit([{ ...put("b", "9"), key: "thing:b2" }]);
      expect(await ids({ descending: false })).toEqual(["c", "d", "a", "b"]);
      await reopen();
      expect(await store.list("things", { limit: 9 })).toMatchObject({ ids: ["b", "a", "d", "c"], total: 4 });
    });

    it("filters by text and by marks, separately and together", async () => {
      const row = (id: string, text: string, ...marks: string[]) => ({ list: "things", put: { id, text, marks } });
      const rows = [
        row("a", "red house", "x"),
        row("b", "red boat", "y"),
        row("c", "blue house", "x", "y"),
        row("d", "", "z"),
      ];
      await store.commit([{ key: "thing:one", document: {}, rows }]);
      const check = async () => {
        expect(await store.list("things", { limit: 9, search: "house" })).toEqual({ ids: ["c", "a"] });
        expect(await store.list("things", { limit: 1, search: "red" })).toEqual({ ids: ["b"], next: "b" });
        expect(await ids({ search: "seblue" })).toEqual([]);
        expect(await store.list("things", { limit: 1, marks: [["x"]] })).toEqual({ ids: ["c"], total: 2, next: "c" });
        expect(await store.list("things", { limit: 9, marks: [["x", "y"]] })).toEqual({
          ids: ["c", "b", "a"],
          total: 3,
        });
        expect(await store.list("things", { limit: 9, marks: [["x"], ["y"]] })).toEqual({ ids: ["c"], total: 1 });
        expect(await ids({ search: "red", marks: [["x"]] })).toEqual(["a"]);
        expect(await ids({ marks: [["none"]] })).toEqual([]);
      };
      await check();
      await reopen();
      await check();
    });

    it("finds characters that are no text as every other store does", async () => {
      const texts = { nul: "Loan\0 ends", lone: "Loan\ud800 ends", mark: "Loan\ufffd ends", plain: "Loan ends" };
      const rows = Object.entries(texts).map(([id, text]) => ({ list: "things", put: { id, text: foldText(text) } }));
      await store.commit([{ key: "thing:one", document: {}, rows }]);
      for (const search of ["\0", "\udc00", "\ufffd", "n\0", "loan\ud800 ends"]) {
        expect(await ids({ search: foldText(search) })).toEqual(["nul", "mark", "lone"]);
      }
      expect(await ids({ search: foldText("ends") })).toEqual(["plain", "nul", "mark", "lone"]);
    });

    it("filters 1,300 rows as a plain loop over them does", async () => {
      const COLORS = ["red", "blue", "red and blue", ""];
      const all = Array.from({ length: 1_300 }, (_, n) => ({
        id: `id${String(n).padStart(4, "0")}`,
        // Some texts would match across the border of two rows.
        text: n % 97 < 2 ? `ra${n % 97 === 0 ? "r" : "re"}` : (COLORS[n % 4] ?? ""),
        marks: [...(n % 3 === 0 ? ["third"] : []), ...(n % 100 === 7 ? ["rare"] : []), ...(n > 900 ? ["late"] : [])],
      }));
      await store.commit([{ key: "thing:a", document: {}, rows: all.map((put) => ({ list: "things", put })) }]);
      const check = async (query: Partial<ListQuery>) => {
        const { search, marks = [], from, until, descending = true, after, offset = 0, limit = 40 } = query;
        const chosen = all
          .filter(({ id }) => (from === undefined || id >= from) && (until === undefined || id <= until))
          .filter(({ text }) => search === undefined || text.includes(search))
          .filter((row) => marks.every((group) => group.some((mark) => row.marks.includes(mark))));
        if (descending) chosen.reverse();
        const behind = chosen.filter(({ id }) => after === undefined || (descending ? id < after : id > after));
        const page = behind.slice(offset, offset + limit);
        expect(await store.list("things", { ...query, limit }), JSON.stringify(query)).toEqual({
          ids: page.map(({ id }) => id),
          ...(search === undefined ? { total: chosen.length } : {}),
          ...(behind.length > offset + limit ? { next: page.at(-1)?.id } : {}),
        });
      };
      const parts: readonly Partial<ListQuery>[] = [
        {},
        { limit: 1_000, offset: 3 },
        { offset: 35, until: "id0977" },
        { after: "id0500", until: "id0640" },
        { from: "id0480", offset: 5, until: "id0640" },
        { from: "id0480", after: "id0500" },
      ];
      const searches = [undefined, "", "red", "d and b", "rar", "rr", "db", "none"];
      const markSets = [undefined, [], [[]], [["third"]], [["rare", "late"]], [["third"], ["late", "none"]]];
      const queries = [true, false].flatMap((descending) =>
        searches.flatMap((search) =>
          markSets.flatMap((marks) =>
            parts.map((part) => ({ ...part, descending, ...omitUndefined({ search, marks }) })),
          ),
        ),
      );
      const checkAll = async () => {
        for (const query of everyNth(5, queries)) await check(query);
      };
      await checkAll();
      // Rows that earlier queries have read change.
      const taken = all.splice(505, 90);
      const changed = all.slice(490, 500).map((row) => ({ ...row, text: "red", marks: ["third", "late"] }));
      all.splice(490, 10, ...changed);
      const rows = [
        ...taken.map(({ id }) => ({ list: "things", delete: id })),
        ...changed.map((put) => ({ list: "things", put })),
      ];
      await store.commit([{ key: "thing:b", document: {}, rows }]);
      await checkAll();
    });

    it("keeps lists separate and removes rows with the commit that says so", async () => {
      await store.commit([
        {
          key: "thing:a",
          document: {},
          rows: [
            { list: "things", put: { id: "a" } },
            { list: "things.a", put: { id: "b" } },
          ],
        },
      ]);
      await store.commit([
        {
          key: "thing:a",
          document: null,
          rows: [
            { list: "things", delete: "a" },
            { list: "things", delete: "never" },
          ],
        },
      ]);
      expect(await ids()).toEqual([]);
      await reopen();
      expect(await ids()).toEqual([]);
      expect((await store.list("things.a", { limit: 1 })).ids).toEqual(["b"]);
    });

    it("keeps many concurrent commits over several restarts", async () => {
      const all: string[] = [];
      for (let round = 0; round < 3; round++) {
        const names = Array.from({ length: 40 }, (_, n) => `id${round}${String(n).padStart(2, "0")}`);
        all.push(...names);
        await Promise.all(names.map((id) => store.commit([put(id)])));
        await reopen();
      }
      expect(await ids({ limit: 200 })).toEqual(all.toReversed());
      const found = await store.getMany(all.map((id) => `thing:${id}` as const));
      expect(found.map((stored) => stored?.document)).toEqual(all.map((id) => ({ id })));
    });

    it("counts the rows of several lists as of one moment, whatever is committed meanwhile", async () => {
      const both = (id: string, order: string) => ({
        key: `thing:${id}` as const,
        document: {},
        rows: [
          { list: "things", put: { id } },
          { list: "derived.x", put: { id, order } },
        ],
      });
      const names = ["things", "derived.x", "things.none", "no/list", "things"];
      const orderOf = (n: number) => String((n * 7_919) % 1_000);
      expect(await store.totals([])).toEqual([]);
      expect(await store.totals(names)).toEqual([0, 0, 0, 0, 0]);
      await store.commit(Array.from({ length: 1_200 }, (_, n) => both(`id${n}`, orderOf(n))));
      await reopen();
      const commits: Promise<void>[] = [];
      const counts: Promise<readonly number[]>[] = [];
      for (let n = 0; n < 40; n++) {
        const rows = ["things", "derived.x"].map((list) => ({ list, delete: `id${n}` }));
        const deletion = { key: `thing:id${n}` as const, document: null, expected: 1, rows };
        commits.push(store.commit(n % 3 === 2 ? [deletion] : [both(`new${n}`, orderOf(n))]));
        counts.push(store.totals(names));
        for (let hop = 0; hop < n; hop++) await undefined;
        if (n % 4 === 3) await commits.at(-1);
      }
      for (const [total = -1, ...others] of await Promise.all(counts)) expect(others).toEqual([total, 0, 0, total]);
      await Promise.all(commits);
      expect(await store.totals(names)).toEqual([1_214, 1_214, 0, 0, 1_214]);
    });

    it("rejects commits after it was closed", async () => {
      await store.commit([put("a")]);
      await store.close();
      await store.close();
      await expect(store.commit([put("b")])).rejects.toMatchObject({ code: "unavailable" });
    });
  });
}

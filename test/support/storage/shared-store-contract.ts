/** What a store must do that several processes use at the same time: here three stores on one database. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Change, DerivedChange, Key, Store } from "../../../src/ports/store.ts";
import type { StoreFixture } from "./store-contract.ts";
import { commitToBoth, compareAll, compareList, emptyModel, type Model, type Step, steps } from "./store-model.ts";

const STORES = 3;
const COUNTERS = ["thing:a", "thing:b", "thing:c"] as const;

interface Counter {
  readonly n: number;
}

/** What a commit wrote of one document in the concurrent test, in the order of its versions. */
interface Written {
  readonly version: number;
  readonly marks: readonly string[] | null;
}

const write = fc.record({
  key: fc.constantFrom(...COUNTERS),
  /** Marks of the document's row, or null to delete it. */
  marks: fc.option(fc.uniqueArray(fc.constantFrom("m:1", "m:2"), { maxLength: 2 })),
});
/** For each store, transactions of one or two documents. */
const transactions = fc.array(
  fc.array(fc.uniqueArray(write, { selector: ({ key }) => key, minLength: 1, maxLength: 2 }), { maxLength: 8 }),
  { minLength: STORES, maxLength: STORES, size: "max" },
);
type Writes = typeof write extends fc.Arbitrary<infer T> ? readonly T[] : never;

/** @returns Whether it was stored. Anything but a conflict fails the test. */
async function tryCommit(store: Store, changes: readonly (Change | DerivedChange)[]): Promise<boolean> {
  try {
    await store.commit(changes);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: "conflict", key: expect.stringMatching(/^thing:/) });
    return false;
  }
}

/** Commits one after the other, each of any of the stores. A restart closes one while the others stay open. */
async function compareStores(fixture: StoreFixture, given: readonly (readonly [number, Step])[]): Promise<void> {
  const stores = Array.from({ length: STORES }, () => fixture.open());
  let model: Model = emptyModel();
  for (const [number, one] of given) {
    const store = stores[number] ?? fixture.open();
    const other = stores[(number + 1) % STORES] ?? store;
    if (one.does === "commit") model = await commitToBoth(store, model, one.intents);
    else if (one.does === "list") await compareList(other, model, one);
    else {
      await store.close();
      stores[number] = fixture.open();
    }
    await compareAll(other, model, 0);
  }
  await Promise.all(stores.map((store) => store.close()));
}

/** Commits of all stores at once, each as often as it takes. */
async function writeAtOnce(fixture: StoreFixture, given: readonly (readonly Writes[])[]): Promise<void> {
  const stores = given.map(() => fixture.open());
  const history = new Map<Key, Written[]>(COUNTERS.map((key) => [key, []]));
  const transact = async (store: Store, writes: Writes) => {
    for (;;) {
      const found = await store.getMany<Counter>(writes.map(({ key }) => key));
      const changes = writes.map(({ key, marks }, n): Change => {
        const rows = [marks === null ? { list: "one", delete: key } : { list: "one", put: { id: key, marks } }];
        const document = { n: (found[n]?.document.n ?? 0) + 1 };
        return { key, document, expected: found[n]?.version ?? null, rows };
      });
      if (!(await tryCommit(store, changes))) continue;
      for (const [n, { key, marks }] of writes.entries()) {
        history.get(key)?.push({ version: (found[n]?.version ?? 0) + 1, marks });
      }
      return;
    }
  };
  const lanes = given.flatMap((all, n) => all.map((writes) => transact(stores[n] ?? fixture.open(), writes)));
  await Promise.all(lanes);
  const rows = new Map<string, readonly string[]>();
  for (const [key, written] of history) {
    written.sort((one, other) => one.version - other.version);
    // Each version has exactly one writer.
    expect(written.map(({ version }) => version)).toEqual(written.map((_, n) => n + 1));
    const count = written.length;
    const expected = count === 0 ? null : { version: count, document: { n: count } };
    for (const store of stores) expect(await store.get(key)).toEqual(expected);
    const marks = written.at(-1)?.marks ?? null;
    if (marks !== null) rows.set(key, marks);
  }
  for (const [n, mark] of [null, "m:1", "m:2"].entries()) {
    const query = { limit: 9, descending: false, marks: mark === null ? [] : [[mark]] };
    const ids = COUNTERS.filter((key) => (mark === null ? rows.has(key) : rows.get(key)?.includes(mark)));
    expect(await stores[n]?.list("one", query)).toMatchObject({ ids, total: ids.length });
  }
  await Promise.all(stores.map((store) => store.close()));
}

/** @param rounds How many of each race to run. */
export function sharedStoreContract(
  name: string,
  createFixture: () => Promise<StoreFixture>,
  { runs, rounds }: { runs: number; rounds: number },
): void {
  async function withFixture(work: (fixture: StoreFixture) => Promise<void>): Promise<void> {
    const fixture = await createFixture();
    try {
      await work(fixture);
    } finally {
      await fixture.clean();
    }
  }

  describe(`random commits of three stores on ${name}`, () => {
    it("return what a simple model returns, one after the other", async () => {
      const run = fc.asyncProperty(steps, fc.infiniteStream(fc.nat(STORES - 1)), (given, numbers) =>
        withFixture((fixture) =>
          compareStores(
            fixture,
            given.map((one) => [numbers.next().value ?? 0, one]),
          ),
        ),
      );
      await expect(fc.assert(run, { numRuns: runs })).resolves.toBeUndefined();
    });

    it("have one winner for each version, and exact rows and totals, all at once", async () => {
      const run = fc.asyncProperty(transactions, (given) => withFixture((fixture) => writeAtOnce(fixture, given)));
      await expect(fc.assert(run, { numRuns: runs })).resolves.toBeUndefined();
    });
  });

  describe(`three stores on ${name}`, () => {
    let fixture: StoreFixture;
    let stores: readonly [Store, Store, Store];
    beforeEach(async () => {
      fixture = await createFixture();
      stores = [fixture.open(), fixture.open(), fixture.open()];
    });
    afterEach(async () => {
      await Promise.all(stores.map((store) => store.close()));
      await fixture.clean();
    });
    const storeOf = (n: number): Store => stores[n % STORES] ?? stores[0];
    const numbers = (length: number) => Array.from({ length }, (_, n) => n);

    it("see at once what another one has stored", async () => {
      const [first, second] = stores;
      for (const n of numbers(rounds)) {
        const rows = [{ list: "things", put: { id: `id${n}`, marks: [`at:${n % 2}`] } }];
        await storeOf(n).commit([{ key: "thing:a", document: { n }, expected: n === 0 ? null : n, rows }]);
        expect(await storeOf(n + 1).get("thing:a")).toEqual({ version: n + 1, document: { n } });
        expect((await storeOf(n + 2).list("things", { limit: 0 })).total).toBe(n + 1);
      }
      expect((await first.list("things", { limit: 0, marks: [["at:0"]] })).total).toBe(Math.ceil(rounds / 2));
      expect((await second.list("things", { limit: 0, marks: [["at:1"]] })).total).toBe(Math.floor(rounds / 2));
    });

    it("lose no increment of documents that all of them change, and count all rows and marks", async () => {
      const lanes = 4 * STORES;
      const each = Math.ceil((3 * rounds) / lanes);
      const increment = async (lane: number, n: number) => {
        // Two documents in either order.
        const keys = [COUNTERS[(lane + n) % 3] ?? "thing:a", COUNTERS[(lane + n + (n % 2) + 1) % 3] ?? "thing:b"];
        const put = { id: `row${lane}-${n}`, marks: [`lane:${lane}`, `turn:${n % 2}`, "all"] };
        for (;;) {
          const found = await storeOf(lane).getMany<Counter>(keys);
          const changes = keys.map(
            (key, at): Change => ({
              key,
              document: { n: (found[at]?.document.n ?? 0) + 1 },
              expected: found[at]?.version ?? null,
              rows: at === 0 ? [{ list: "things", put }] : [],
            }),
          );
          if (await tryCommit(storeOf(lane), changes)) return;
        }
      };
      const work = async (lane: number) => {
        for (const n of numbers(each)) await increment(lane, n);
      };
      await Promise.all(numbers(lanes).map(work));
      const found = await stores[0].getMany<Counter>(COUNTERS);
      const sum = found.reduce((total, stored) => total + (stored?.document.n ?? 0), 0);
      expect(sum).toBe(2 * lanes * each);
      expect(found.map((stored) => stored?.version)).toEqual(found.map((stored) => stored?.document.n));
      const total = async (...marks: string[][]) => (await stores[1].list("things", { limit: 0, marks })).total;
      expect(await total()).toBe(lanes * each);
      expect(await total(["all"])).toBe(lanes * each);
      expect(await total(["turn:0"])).toBe(lanes * Math.ceil(each / 2));
      for (const lane of numbers(lanes)) expect(await total([`lane:${lane}`])).toBe(each);
    });

    it("let one of many creations of one key succeed, with its rows and all of its documents", async () => {
      for (const round of numbers(rounds)) {
        const key = (kind: string): Key => `thing:${kind}${round}`;
        const tries = numbers(2 * STORES).map((n) => {
          const rows = [{ list: "things", put: { id: `row${round}-${n}`, marks: ["m"] } }];
          const changes: Change[] = [
            { key: key("one"), document: { n }, expected: null, rows },
            { key: key("two"), document: { n }, expected: null },
            { key: key(`own${n}`), document: { n }, expected: null },
          ];
          return tryCommit(storeOf(n), n % 2 === 0 ? changes : changes.toReversed());
        });
        const winners = (await Promise.all(tries)).flatMap((isStored, n) => (isStored ? [n] : []));
        expect(winners).toHaveLength(1);
        const stored = { version: 1, document: { n: winners[0] } };
        expect(await storeOf(round).getMany([key("one"), key("two")])).toEqual([stored, stored]);
        const own = await storeOf(round).getMany(numbers(2 * STORES).map((n) => key(`own${n}`)));
        expect(own.flatMap((found, n) => (found === null ? [] : [n]))).toEqual(winners);
      }
      for (const marks of [[], [["m"]]]) {
        const { ids, total } = await stores[2].list("things", { limit: 1_000, marks });
        expect([ids.length, total]).toEqual([rounds, rounds]);
      }
    });

    it("never store both of two commits that each change what the other one guards", async () => {
      for (const round of numbers(rounds)) {
        const [one, other]: readonly [Key, Key] = [`thing:a${round}`, `thing:b${round}`];
        const created = [one, other].map((key) => ({ key, document: {}, expected: null }));
        await storeOf(round).commit(created);
        const results = await Promise.all([
          tryCommit(storeOf(round + 1), [
            { key: one, expected: 1, rows: [{ list: "derived.x", put: { id: one } }] },
            { key: other, document: { n: 1 }, expected: 1 },
          ]),
          tryCommit(storeOf(round + 2), [
            { key: one, document: { n: 1 }, expected: 1 },
            { key: other, expected: 1, rows: [{ list: "derived.x", put: { id: one } }] },
          ]),
        ]);
        expect(results.filter((isStored) => isStored).length).toBe(1);
        const versions = (await storeOf(round).getMany([one, other])).map((found) => found?.version);
        expect(versions.toSorted()).toEqual([1, 2]);
      }
      expect((await stores[0].list("derived.x", { limit: 0 })).total).toBe(rounds);
    });

    it("store every commit whose guarded document nobody changes", async () => {
      await stores[0].commit([{ key: "thing:guarded", document: {} }]);
      const creations = numbers(rounds * STORES).map((n) =>
        storeOf(n).commit([
          { key: "thing:guarded", expected: 1, rows: [] },
          { key: `thing:n${n}`, document: {}, expected: null },
        ]),
      );
      await Promise.all(creations);
      expect(await stores[1].get("thing:guarded")).toEqual({ version: 1, document: {} });
    });

    it("store the same rows of a derived list at once, and count each once", async () => {
      const ids = numbers(4).map((n) => `id${n}`);
      await stores[0].commit(ids.map((id) => ({ key: `thing:${id}`, document: {}, expected: null })));
      for (const round of numbers(rounds)) {
        const commits = numbers(STORES).flatMap((n) =>
          ids.map((id, at): readonly DerivedChange[] => {
            const list = "derived.x";
            const isPut = (round + at) % 3 > 0;
            const rows = [isPut ? { list, put: { id, order: `${n}`, marks: [`by:${n}`, "m"] } } : { list, delete: id }];
            return [{ key: `thing:${id}`, expected: 1, rows }];
          }),
        );
        await Promise.all(commits.map((changes, n) => storeOf(Math.floor(n / ids.length)).commit(changes)));
        const listed = ids.filter((_, at) => (round + at) % 3 > 0).length;
        for (const marks of [[], [["m"]], [["by:0", "by:1", "by:2"]]]) {
          const page = await storeOf(round).list("derived.x", { limit: 9, marks });
          expect([page.ids.length, page.total]).toEqual([listed, listed]);
        }
        const pages = await Promise.all(
          numbers(STORES).map((n) => stores[0].list("derived.x", { limit: 9, marks: [[`by:${n}`]] })),
        );
        expect(pages.map(({ total }) => total)).toEqual(pages.map((page) => page.ids.length));
        expect(pages.reduce((sum, page) => sum + page.ids.length, 0)).toBe(listed);
      }
    });
  });
}

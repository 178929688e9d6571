/** A SQLite store whose database fails at any call: nothing of a failed commit is visible, then or later. */
import { afterEach, beforeEach, expect, it } from "vitest";
import type { OpenDatabase, Statement } from "../../../adapters/storage/sqlite/database.ts";
import type { Change, Store } from "../../../src/ports/store.ts";
import { createStoreFile, type StoreFile } from "./open.ts";

let storage: StoreFile;
beforeEach(() => {
  storage = createStoreFile();
});
afterEach(() => storage.clean());

/** Fails one call of a statement or of the database, after it has taken effect or before. */
interface Fault {
  /** Calls until it fails. */
  left: number;
  readonly when: "before" | "after";
}

function failing(open: OpenDatabase, fault: Fault): OpenDatabase {
  function call<T>(act: () => T): T {
    const isNow = --fault.left === 0;
    if (isNow && fault.when === "before") throw new Error("disk I/O error");
    const result = act();
    if (isNow) throw new Error("disk I/O error");
    return result;
  }
  return (file) => {
    const database = open(file);
    return {
      exec: (sql) => call(() => database.exec(sql)),
      prepare(sql): Statement {
        const statement = database.prepare(sql);
        return {
          run: (...values) => call(() => statement.run(...values)),
          get: (...values) => call(() => statement.get(...values)),
          all: (...values) => call(() => statement.all(...values)),
        };
      },
      close: () => database.close(),
    };
  };
}

const changes: readonly Change[] = [
  {
    key: "thing:a",
    document: { n: 2 },
    expected: 1,
    rows: [{ list: "things", put: { id: "a", order: "z", marks: ["m:2"], text: "second text" } }],
  },
  { key: "thing:b", document: null, expected: 1, rows: [{ list: "things", delete: "b" }] },
  {
    key: "thing:c",
    document: { n: 1 },
    expected: null,
    rows: [{ list: "others", put: { id: "c", marks: ["m:1"], text: "third text" } }],
  },
];

async function prepare(store: Store): Promise<void> {
  const put = (id: string) => ({ id, marks: ["m:1", "m:2"], text: `first text of ${id}` });
  await store.commit([
    { key: "thing:a", document: { n: 1 }, expected: null, rows: [{ list: "things", put: put("a") }] },
    { key: "thing:b", document: { n: 1 }, expected: null, rows: [{ list: "things", put: put("b") }] },
  ]);
}

/** Everything that can be read. */
async function state(store: Store) {
  const queries = [{}, { marks: [["m:1"]] }, { marks: [["m:2"], ["m:1", "m:3"]] }, { search: "text" }];
  return {
    documents: await store.getMany(["thing:a", "thing:b", "thing:c"]),
    lists: await Promise.all(
      ["things", "others"].flatMap((name) => queries.map((query) => store.list(name, { limit: 10, ...query }))),
    ),
  };
}

it.each(["before", "after"] as const)("a call that fails %s it takes effect", async (when) => {
  const reference = createStoreFile();
  const expected = reference.open();
  await prepare(expected);
  const old = await state(expected);
  await expected.commit(changes);
  const changed = await state(expected);
  await expected.close();
  await reference.clean();

  let failures = 0;
  for (let at = 1; ; at++) {
    await storage.clean();
    storage = createStoreFile();
    const fault: Fault = { left: Number.POSITIVE_INFINITY, when };
    const store = storage.open((open) => failing(open, fault));
    await prepare(store);
    fault.left = at;
    const outcome = await store.commit(changes).then(
      () => "stored",
      (error: unknown) => error,
    );
    const isOver = fault.left > 0;
    fault.left = Number.POSITIVE_INFINITY;
    if (outcome !== "stored") {
      failures++;
      expect(outcome).toMatchObject({ code: "unavailable", message: expect.stringMatching(/disk I\/O error/) });
      expect([at, store.isFailing]).toEqual([at, true]);
    }
    // A commit whose end failed after it took effect may turn out to be stored.
    const seen = await state(store);
    expect([old, changed]).toContainEqual(seen);
    if (outcome === "stored") expect(seen).toEqual(changed);
    await store.commit([{ key: "thing:d", document: { n: 1 }, expected: null }]);
    expect(store.isFailing).toBe(false);
    await store.close();
    const again = storage.open();
    expect(await state(again)).toEqual(seen);
    await again.close();
    if (isOver) break;
  }
  expect(failures).toBeGreaterThan(15);
});

it("an opening that fails at any call is repeated by the next call", async () => {
  let failures = 0;
  for (let at = 1; ; at++) {
    const fault: Fault = { left: at, when: "before" };
    const store = storage.open((open) => failing(open, fault));
    const first = await store.get("thing:none").catch((error: unknown) => error);
    const isOver = fault.left > 0;
    fault.left = Number.POSITIVE_INFINITY;
    if (first !== null) {
      failures++;
      expect(first).toMatchObject({ code: "unavailable" });
    }
    expect(await store.get("thing:none")).toBeNull();
    await store.close();
    if (isOver) break;
  }
  expect(failures).toBeGreaterThan(5);
});

/** Repairs a storage after each of its items, one at a time, was damaged or removed. */
import { beforeAll, describe, expect, it } from "vitest";
import { nodeHash } from "../../adapters/crypto/node-hash.ts";
import { createIds } from "../../src/ids.ts";
import type { Key } from "../../src/ports/store.ts";
import { repairStorage, type StoreRepair } from "../../src/storage/repair/repair.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import {
  createStorage,
  DAMAGES,
  type Data,
  driverOf,
  openData,
  readAll,
  withDamage,
} from "../support/storage/damaged-storage.ts";
import { faultyDriver } from "../support/storage/faulty.ts";
import { openStore, silent } from "../support/storage/open.ts";
import { isSegment, loseDocument } from "../support/storage/stored-documents.ts";

const ids = createIds(systemClock);

const repair = (data: Data, isDryRun = false) =>
  repairStorage({ driver: driverOf(data), clock: systemClock, ids, logger: silent, hash: nodeHash, isDryRun });
const damage = (text: string) => `${text.slice(0, -2)}!${text.slice(-1)}`;

/** What can remain when one item is lost for good: all except its documents, or the documents of its record. */
function withoutLost(right: string, key: string, { lost, orphaned }: StoreRepair): string[] {
  const rows = right.split(" ");
  if (isSegment(key)) return [rows.filter((row) => !orphaned.includes(row.replace(":", "/"))).join(" ")];
  if (!key.startsWith("log:") || lost.length === 0) return [right];
  return rows.filter((row) => row.startsWith("late:")).map((row) => rows.filter((other) => other !== row).join(" "));
}

describe.each([
  ["a storage that was closed", false],
  ["a storage with log records after its checkpoint", true],
])("repairStorage of %s", (_, late) => {
  let whole: Data;
  let right: string;
  let last: string | undefined;
  beforeAll(async () => {
    whole = await createStorage(late);
    right = await readAll(new Map(whole));
    const segments = [...whole.keys()].filter((key) => key.startsWith("log:"));
    last = segments.sort().at(-1); // a torn or missing last record was never acknowledged
  });

  it("reports nothing and writes nothing when nothing is damaged", async () => {
    const data = new Map(whole);
    const { checked, ...found } = await repair(data, true);
    expect(found).toEqual({ damaged: [], rebuilt: [], lost: [], orphaned: [], shared: [] });
    expect(checked).toBeGreaterThan(10);
    expect(data).toEqual(whole);
  });

  it("ignores unreferenced pages that a killed process left of a checkpoint", async () => {
    const leaf = [...whole.entries()].find(([key]) => /^list:things:\d/.test(key));
    const data = new Map(whole).set("list:things:99.9", damage(leaf?.[1] ?? "leaf"));
    expect(await repair(data, true)).toMatchObject({ damaged: [], rebuilt: [], lost: [] });
  });

  it.each(DAMAGES)("restores everything that the documents hold when any one item is %s", async (_, left) => {
    const wrong: string[] = [];
    for (const key of whole.keys()) {
      if (key === last || key.startsWith("owner:")) continue;
      const data = withDamage(whole, key, left);
      const copy = new Map(data);
      const tried = await repair(data, true);
      expect(data).toEqual(copy);
      const report = await repair(data);
      expect({ key, ...report }).toEqual({ key, ...tried });
      const found = await readAll(new Map(data));
      const again = await repair(data, true);
      if (!withoutLost(right, key, report).includes(found)) wrong.push(`${key}: ${found}`);
      if (again.damaged.length + again.rebuilt.length + again.lost.length > 0) wrong.push(`${key}: found again`);
      if (isSegment(key)) expect(report.damaged).toEqual([key]);
      if (isSegment(key)) expect(report.lost.join()).toMatch(/^(documents|thing):/);
    }
    expect(wrong).toEqual([]);
  });

  it.each([["manifest"], ["list:things"], ["list:stored-lists"]])(
    "restores everything when both copies of %s are damaged or missing",
    async (name) => {
      for (const left of [() => null, damage]) {
        const data = withDamage(withDamage(whole, `${name}:a`, left), `${name}:b`, left);
        const report = await repair(data);
        expect(report.lost).toEqual([]);
        expect([...report.damaged, ...report.rebuilt]).not.toEqual([]);
        expect(await readAll(data)).toBe(right);
      }
    },
  );

  it("keeps damaged items under the prefix damaged:", async () => {
    const [segment = ""] = [...whole.keys()].filter(isSegment);
    const data = withDamage(whole, segment, damage);
    await repair(data);
    const kept = [...data].filter(([key]) => key.startsWith("damaged:"));
    expect(kept).toEqual([
      [expect.stringMatching(new RegExp(`^damaged:\\d+:${segment}$`)), damage(whole.get(segment) ?? "")],
    ]);
    expect(data.has(segment)).toBe(false);
  });

  it("can be interrupted at any driver call and run again", async () => {
    const damaged = withDamage(
      withDamage(whole, "list:things:a", () => null),
      "list:things:b",
      damage,
    );
    for (let at = 1; ; at++) {
      const data = new Map(damaged);
      const faulty = faultyDriver(data, "rejects", at);
      const parts = { driver: faulty.driver, clock: systemClock, ids, logger: silent, hash: nodeHash };
      const isCutOff = await repairStorage(parts).then(
        () => false,
        () => true,
      );
      if (!isCutOff && faulty.calls < at) break;
      await repair(data);
      expect(await readAll(data)).toBe(right);
    }
  });
});

it("repairStorage restores order, text and marks of rows, and restores no removed row", async () => {
  const data: Data = new Map();
  const put = { id: "a", order: "5", text: "apple", marks: ["red"] };
  const store = openData(data);
  const key = "thing:a";
  await store.commit([
    {
      key,
      document: {},
      rows: [
        { list: "things", put },
        { list: "active", put: { id: "a" } },
      ],
    },
  ]);
  await store.close();
  const next = openData(data);
  await next.commit([{ key, document: { on: 2 }, expected: 1, rows: [{ list: "active", delete: "a" }] }]);
  await next.close();
  for (const name of [...data.keys()]) if (name.startsWith("list:")) data.delete(name);

  expect(await repair(data)).toMatchObject({ lost: [], rebuilt: ["things", "stored-lists"] });
  const repaired = openData(data);
  expect(await repaired.list("active", { limit: 10 })).toMatchObject({ ids: [] });
  const query = { limit: 10, until: "5", marks: [["red"]], search: "appl" };
  expect(await repaired.list("things", query)).toMatchObject({ ids: ["a"] });
});

it("repairStorage keeps the log records around a damaged one", async () => {
  const data: Data = new Map();
  const open = () => openStore(faultyDriver(data, "rejects", 0, true).driver);
  const store = open();
  for (const id of ["a", "b", "c"]) {
    await store.commit([{ key: `thing:${id}`, document: { id }, rows: [{ list: "things", put: { id } }] }]);
  }
  const [segment = ""] = [...data.keys()].filter((key) => key.startsWith("log:"));
  const [first, , third] = (data.get(segment) ?? "").split("\n");
  data.set(segment, [first, "damaged", third].join("\n"));

  expect(await repair(data)).toMatchObject({ damaged: [segment], lost: [segment] });
  const repaired = open();
  expect(await repaired.list("things", { limit: 10, descending: false })).toMatchObject({ ids: ["a", "c"] });
  expect(await repaired.getMany(["thing:a", "thing:b", "thing:c"])).toMatchObject([{}, null, {}]);
});

it("repairStorage without a manifest ignores log records from before the checkpoint", async () => {
  const data: Data = new Map();
  const store = openData(data);
  await store.commit([{ key: "thing:a", document: {}, rows: [{ list: "things", put: { id: "a" } }] }]);
  const early = [...data].filter(([key]) => key.startsWith("log:"));
  await store.commit([{ key: "thing:a", document: null, expected: 1, rows: [{ list: "things", delete: "a" }] }]);
  await store.close();
  const next = openData(data);
  await next.commit([{ key: "thing:b", document: {}, rows: [{ list: "things", put: { id: "b" } }] }]);
  for (const [key, text] of early) data.set(key, text);
  for (const copy of ["a", "b"]) data.delete(`manifest:${copy}`);

  expect(await repair(data)).toMatchObject({ damaged: ["manifest:a", "manifest:b"], lost: [] });
  const repaired = openData(data);
  expect(await repaired.get("thing:a")).toBeNull();
  expect(await repaired.list("things", { limit: 10 })).toMatchObject({ ids: ["b"] });
});

it("repairStorage fences a store that still uses the storage", async () => {
  const data: Data = new Map();
  const store = openData(data);
  await store.commit([{ key: "thing:a", document: {}, rows: [{ list: "things", put: { id: "a" } }] }]);
  await repair(data);
  await expect(store.commit([{ key: "thing:b", document: {} }])).rejects.toMatchObject({ code: "unavailable" });
});

it("repairStorage removes known references to a lost document", async () => {
  const data: Data = new Map();
  const store = openData(data);
  for (const id of ["a", "b"]) {
    await store.commit([
      { key: `thing:${id}`, document: {}, rows: [{ list: "things", put: { id } }] },
      { key: `name:${id}`, document: { of: id } },
    ]);
  }
  await store.close();
  loseDocument(data, "thing:a");
  const references = { name: (document: object): readonly Key[] => [`thing:${Object.values(document)[0]}`] };
  const parts = { driver: driverOf(data), clock: systemClock, ids, logger: silent, hash: nodeHash, references };
  const right = { damaged: ["thing:a"], lost: ["thing:a"], rebuilt: ["things"], orphaned: ["name:a", "things/a"] };

  expect(await repairStorage({ ...parts, isDryRun: true })).toMatchObject(right);
  expect(await repairStorage(parts)).toMatchObject(right);
  const repaired = openData(data);
  expect(await repaired.getMany(["name:a", "name:b"])).toMatchObject([null, { document: { of: "b" } }]);
  const page = await repaired.listDocuments("things", { limit: 10 }, (id) => `thing:${id}`);
  expect(page).toMatchObject({ ids: ["b"], total: 1 });
  await repaired.close();
  expect(await repairStorage(parts)).toMatchObject({ damaged: [], lost: [], rebuilt: [], orphaned: [] });
});

it("repairStorage reports a row that two documents have", async () => {
  const data: Data = new Map();
  const store = openData(data);
  const rows = [{ list: "things", put: { id: "a" } }];
  await store.commit([
    { key: "thing:a", document: {}, rows },
    { key: "other:a", document: {}, rows },
  ]);
  expect(await repair(data, true)).toMatchObject({ shared: ["things/a"] });
  await store.close();
  expect(await repair(data, true)).toMatchObject({ shared: ["things/a"] });
});

describe("repairStorage after a process died in its first checkpoint", () => {
  async function died(fault: "dies" | "dies after the call", at: number): Promise<Data | null> {
    const faulty = faultyDriver(new Map(), fault, at);
    const store = openStore(faulty.driver);
    const rows = ["a", "b"].map((list) => ({ list, put: { id: "x" } }));
    const work = async () => {
      await store.commit([{ key: "thing:x", document: {}, expected: null, rows }]);
      await store.close();
    };
    await Promise.race([work(), faulty.death]);
    return faulty.dead ? faulty.data : null;
  }

  it.each(["dies", "dies after the call"] as const)("reports nothing: the process %s", async (fault) => {
    let deaths = 0;
    for (let data = await died(fault, 1); data !== null; data = await died(fault, deaths + 1)) {
      deaths++;
      const { checked: _, ...found } = await repair(data, true);
      expect(found).toEqual({ damaged: [], rebuilt: [], lost: [], orphaned: [], shared: [] });
    }
    expect(deaths).toBeGreaterThan(10);
  });
});

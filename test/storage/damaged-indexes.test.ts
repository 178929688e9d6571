/** Damaged parts of lists: of rows, of their marks and of their orders. Reading them fails, and a repair rebuilds them. */
import { beforeAll, describe, expect, it } from "vitest";
import { nodeHash } from "../../adapters/crypto/node-hash.ts";
import { createIds } from "../../src/ids.ts";
import type { ListQuery, Store } from "../../src/ports/store.ts";
import { repairStorage } from "../../src/storage/repair/repair.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { DAMAGES, type Data, driverOf, openData, withDamage } from "../support/storage/damaged-storage.ts";
import { silent } from "../support/storage/open.ts";
import { LIST, TINY_LEAVES } from "../support/storage/row-lists.ts";

const options = { leafSizes: TINY_LEAVES };
const ids = createIds(systemClock);
const isLeaf = (key: string) => new RegExp(`^list:${LIST}:\\d`).test(key);
const QUERIES: readonly ListQuery[] = [
  { limit: 20 },
  { limit: 20, marks: [["even"]] },
  { limit: 20, marks: [["even"], ["odd", "third"]] },
  { limit: 0, marks: [["odd"]] },
];

const repair = (data: Data, isDryRun = false) =>
  repairStorage({ driver: driverOf(data), clock: systemClock, ids, logger: silent, hash: nodeHash, isDryRun });
const put = (n: number) => ({
  key: `thing:t${n}` as const,
  document: { n },
  rows: [{ list: LIST, put: { id: `t${n}`, order: String(9 - n), marks: [n % 2 === 0 ? "even" : "odd", `n${n}`] } }],
});

async function answers(store: Store) {
  const all: unknown[] = [];
  for (const query of QUERIES) all.push(await store.list(LIST, query));
  return all;
}

let whole: Data;
let wanted: unknown[];
beforeAll(async () => {
  whole = new Map();
  const store = openData(whole, options);
  for (let n = 0; n < 9; n++) await store.commit([put(n)]);
  wanted = await answers(store);
  await store.close();
  expect([...whole.keys()].filter(isLeaf).length).toBeGreaterThan(8);
});

describe("a damaged part of a list", () => {
  it.each(DAMAGES)("is an error for those who need it, and is rebuilt by a repair: %s", async (_, damage) => {
    for (const key of [...whole.keys()].filter(isLeaf)) {
      const data = withDamage(whole, key, damage);
      const before = openData(new Map(data), options);
      for (const [index, query] of QUERIES.entries()) {
        const [outcome] = await Promise.allSettled([before.list(LIST, query)]);
        if (outcome.status === "fulfilled") expect(outcome.value).toEqual(wanted[index]);
        else expect(outcome.reason).toMatchObject({ code: "unavailable" });
      }
      expect(await repair(data)).toMatchObject({ rebuilt: [LIST], lost: [], orphaned: [] });
      const store = openData(data, options);
      expect(await answers(store)).toEqual(wanted);
      await store.close();
    }
  });

  it("is named by a repair if it is missing, also of the list of lists", async () => {
    const leaves = [...whole.keys()].filter((key) => isLeaf(key) || /^list:stored-lists:\d/.test(key));
    expect(leaves.some((key) => !isLeaf(key))).toBe(true);
    for (const key of leaves) {
      const data = withDamage(whole, key, () => null);
      const [, name = ""] = key.split(":");
      expect(await repair(data, true)).toMatchObject({ damaged: [key], rebuilt: [name] });
      expect(await repair(data)).toMatchObject({ damaged: [key], rebuilt: [name], lost: [] });
      expect(await repair(data, true)).toMatchObject({ damaged: [], rebuilt: [] });
    }
  });

  it("is found by a repair if it is an intact part of another moment", async () => {
    const older: Data = new Map();
    const store = openData(older, options);
    for (let n = 0; n < 9; n++) await store.commit([{ ...put(n), rows: [{ list: LIST, put: { id: `t${n}` } }] }]);
    await store.close();
    const [leaf = ""] = [...older].filter(([key]) => isLeaf(key)).map(([, text]) => text);
    for (const key of [...whole.keys()].filter(isLeaf)) {
      const data = withDamage(whole, key, () => leaf);
      expect(await repair(data)).toMatchObject({ rebuilt: [LIST], lost: [] });
      const repaired = openData(data, options);
      expect(await answers(repaired)).toEqual(wanted);
      await repaired.close();
    }
  });
});

it("A page with a row whose document is lost names it, also if no part of the list is in memory", async () => {
  const data = new Map(whole);
  const store = openData(data, { ...options, listCacheSize: 1 });
  const keyOf = (id: string) => `other:${id}` as const;
  await expect(store.listDocuments(LIST, { limit: 3 }, keyOf)).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("other:t0"),
  });
  await store.close();
});

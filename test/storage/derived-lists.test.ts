/** Derived lists, whose rows are not stored with documents. */
import { describe, expect, it } from "vitest";
import { nodeHash } from "../../adapters/crypto/node-hash.ts";
import { createIds } from "../../src/ids.ts";
import { repairStorage } from "../../src/storage/repair/repair.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { type Data, driverOf, openData } from "../support/storage/damaged-storage.ts";
import { silent } from "../support/storage/open.ts";
import { storedDocuments } from "../support/storage/stored-documents.ts";

const ids = createIds(systemClock);
const KEY = "thing:a";
const LIST = "derived.by-size";
const put = (id: string, order = id) => ({ list: LIST, put: { id, order } });
const repair = (data: Data, isDryRun = false) =>
  repairStorage({ driver: driverOf(data), clock: systemClock, ids, logger: silent, hash: nodeHash, isDryRun });
const rowsIn = async (data: Data) => (await openData(data).list(LIST, { limit: 10, descending: false })).ids;

/** A document with a row in an ordinary list, and two rows in a derived one that came later. */
async function createData(isClosed: boolean): Promise<Data> {
  const data: Data = new Map();
  const store = openData(data);
  await store.commit([{ key: KEY, document: { n: 1 }, rows: [{ list: "things", put: { id: "a" } }] }]);
  await store.commit([{ key: KEY, expected: 1, rows: [put("a", "5"), put("b", "3")] }]);
  if (isClosed) await store.close();
  return data;
}

describe("rows of a derived list", () => {
  it("change without the document, which keeps its version", async () => {
    const store = openData(await createData(false));
    expect(await store.get(KEY)).toEqual({ version: 1, document: { n: 1 } });
    await store.commit([{ key: KEY, document: { n: 2 }, expected: 1, rows: [put("a", "1")] }]);
    await store.commit([{ key: KEY, expected: 2, rows: [{ list: LIST, delete: "b" }] }]);
    expect(await store.list(LIST, { limit: 10 })).toEqual({ ids: ["a"], orders: ["1"], total: 1, next: undefined });
  });

  it("don't change if the document has another version, or is being changed", async () => {
    const data: Data = new Map();
    const store = openData(data);
    await store.commit([{ key: KEY, document: { n: 1 } }]);
    await expect(store.commit([{ key: KEY, expected: 2, rows: [put("a")] }])).rejects.toMatchObject({ key: KEY });
    const update = store.commit([{ key: KEY, document: { n: 2 }, expected: 1 }]);
    await expect(store.commit([{ key: KEY, expected: 1, rows: [put("a")] }])).rejects.toMatchObject({ key: KEY });
    await update;
    expect(await rowsIn(data)).toEqual([]);
  });

  it.each([
    ["closed", true],
    ["killed", false],
  ])("survive when the process is %s, and are not stored with the document", async (_, isClosed) => {
    const data = await createData(isClosed);
    expect(await rowsIn(data)).toEqual(["b", "a"]);
    const last = openData(data);
    await last.get(KEY);
    await last.close();
    expect(storedDocuments(data).get(KEY)).not.toContain(LIST);
    expect(storedDocuments(data).get(KEY)).toContain("things");
    expect(await rowsIn(data)).toEqual(["b", "a"]);
  });

  it("don't store a page again if they stay the same", async () => {
    const data = await createData(true);
    const pages = () => [...data.keys()].filter((key) => new RegExp(`^list:${LIST}:\\d`).test(key));
    const before = pages();
    const store = openData(data);
    await store.list(LIST, { limit: 1 });
    await store.commit([{ key: KEY, document: { n: 2 }, expected: 1, rows: [put("a", "5")] }]);
    await store.close();
    expect(pages()).toEqual(before);
    const next = openData(data);
    await next.commit([{ key: KEY, document: { n: 3 }, expected: 2, rows: [put("a", "6")] }]);
    await next.close();
    expect(pages()).not.toEqual(before);
  });

  it("cannot be mixed with rows that belong to the document", async () => {
    const store = openData(await createData(false));
    const rows = [put("a"), { list: "things", put: { id: "a" } }];
    await expect(store.commit([{ key: KEY, expected: 1, rows }])).rejects.toMatchObject({ code: "internal" });
  });
});

describe("repairStorage", () => {
  it.each([
    ["closed", true],
    ["killed", false],
  ])("finds nothing wrong with a derived list after the process was %s", async (_, isClosed) => {
    const data = await createData(isClosed);
    const { checked: _checked, ...found } = await repair(data, true);
    expect(found).toEqual({ damaged: [], rebuilt: [], lost: [], orphaned: [], shared: [] });
  });

  it.each(["damaged", null])("empties a derived list of which an item is %s", async (left) => {
    const data = await createData(true);
    const leaf = [...data.keys()].find((key) => key.startsWith(`list:${LIST}:`) && !/:[ab]$/.test(key)) ?? "";
    if (left === null) data.delete(leaf);
    else data.set(leaf, left);
    expect(await repair(data)).toMatchObject({ rebuilt: [LIST], lost: [], orphaned: [] });
    expect(await rowsIn(data)).toEqual([]);
    expect((await openData(data).list("things", { limit: 10 })).ids).toEqual(["a"]);
    expect(await repair(data, true)).toMatchObject({ damaged: [], rebuilt: [] });
  });

  it("keeps a derived list when only others are damaged", async () => {
    const data = await createData(false);
    await openData(data).commit([{ key: KEY, expected: 1, rows: [put("c", "9")] }]);
    const before = openData(data);
    await before.commit([{ key: "thing:b", document: {}, rows: [{ list: "things", put: { id: "b" } }] }]);
    await before.close();
    for (const copy of ["a", "b"]) data.delete(`list:things:${copy}`);
    expect(await repair(data)).toMatchObject({ rebuilt: ["things"] });
    expect(await rowsIn(data)).toEqual(["b", "a", "c"]);
  });

  it("empties a derived list when records of the log are lost, which may have changed it", async () => {
    const data = await createData(true);
    const store = openData(data);
    await store.commit([{ key: "thing:b", document: {}, expected: null }]);
    await store.commit([{ key: "thing:c", document: {}, expected: null }]);
    const segment = [...data.keys()].filter((key) => key.startsWith("log:")).at(-2) ?? "";
    data.set(segment, "damaged");
    expect(await repair(data)).toMatchObject({ rebuilt: [LIST], lost: [segment] });
    expect(await rowsIn(data)).toEqual([]);
  });
});

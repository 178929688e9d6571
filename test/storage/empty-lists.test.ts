/** Lists without rows leave nothing in the storage, and do not come back. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import fsDriver from "../../adapters/storage/fs/fs.ts";
import type { Driver } from "../../src/ports/driver.ts";
import type { Change, Store } from "../../src/ports/store.ts";
import { turnEventLoop } from "../support/event-loop.ts";
import { type Data, driverOf } from "../support/storage/damaged-storage.ts";
import { expectIntact } from "../support/storage/expect-intact.ts";
import { faultyDriver } from "../support/storage/faulty.ts";
import { openStore } from "../support/storage/open.ts";

const LIST = "things";
const put = (id: string): Change => ({ key: `thing:${id}`, document: {}, rows: [{ list: LIST, put: { id } }] });
const removed = (id: string): Change => ({
  ...{ key: `thing:${id}`, document: null, expected: 1 },
  rows: [{ list: LIST, delete: id }],
});
const other = (id: string): Change => ({ key: `other:${id}`, document: {}, rows: [{ list: "others", put: { id } }] });

/** Each use of the storage ends with a checkpoint. */
async function use<T>(driver: Driver, act: (store: Store) => Promise<T>): Promise<T> {
  const store = openStore(driver);
  const result = await act(store);
  await store.close();
  return result;
}

const idsIn = async (store: Store) => (await store.list(LIST, { limit: 10, descending: false })).ids;
const countIn = async (store: Store) => (await store.list(LIST, { limit: 0 })).total;

/** The items that name the list. */
const mentions = (data: Data) => [...data].flatMap(([key, value]) => (`${key}${value}`.includes(LIST) ? [key] : []));

/** A storage whose list was emptied, so that the next checkpoint removes it. */
async function emptied(): Promise<Data> {
  const data: Data = new Map();
  await use(driverOf(data), (store) => store.commit([put("a"), put("b")]));
  await use(driverOf(data), (store) => store.commit([removed("a"), removed("b")]));
  expect(mentions(data)).not.toEqual([]);
  return data;
}

describe("an empty list", () => {
  it("is removed with its name by the checkpoint after the one that stored it", async () => {
    const data = await emptied();
    await use(driverOf(data), (store) => store.commit([other("1")]));
    expect(mentions(data)).toEqual([]);
    await expectIntact(driverOf(data));
  });

  it("leaves no file on fs", async () => {
    const base = await mkdtemp(join(tmpdir(), "stepwell-"));
    const open = () => fsDriver({ base });
    await use(open(), (store) => store.commit([put("a")]));
    await use(open(), (store) => store.commit([removed("a")]));
    await use(open(), (store) => store.commit([other("1")]));
    const driver = open();
    expect((await driver.getKeys("", {})).filter((key) => key.includes(LIST))).toEqual([]);
    await driver.dispose?.();
    await rm(base, { recursive: true });
  });

  it("can get rows again, at any time", async () => {
    const data = await emptied();
    await use(driverOf(data), async (store) => {
      expect(await countIn(store)).toBe(0);
      await store.commit([put("c")]);
    });
    expect(await use(driverOf(data), idsIn)).toEqual(["c"]);
    await use(driverOf(data), (store) => store.commit([{ ...removed("c") }]));
    await use(driverOf(data), (store) => store.commit([other("1")]));
    await use(driverOf(data), (store) => store.commit([put("d")]));
    expect(await use(driverOf(data), idsIn)).toEqual(["d"]);
    await expectIntact(driverOf(data));
  });

  it("stays empty or keeps its new rows whenever the process dies", async () => {
    const before = await emptied();
    let deaths = 0;
    for (const adds of [false, true]) {
      for (let at = 1, isOver = false; !isOver; at++) {
        const data = new Map(before);
        const faulty = faultyDriver(data, at % 2 === 0 ? "dies" : "dies after the call", at);
        let isStored = false;
        const using = use(faulty.driver, async (store) => {
          await store.commit([other("1"), ...(adds ? [put("c")] : [])]);
          isStored = true;
        });
        await Promise.race([using, faulty.death]);
        isOver = !faulty.dead;
        if (faulty.dead) deaths++;
        const ids = await use(faultyDriver(data, "dies", 0).driver, idsIn);
        if (!adds) expect(ids).toEqual([]);
        else if (isStored) expect(ids).toEqual(["c"]);
        await expectIntact(faultyDriver(data, "dies", 0).driver);
      }
    }
    expect(deaths).toBeGreaterThan(30);
  });

  it("stays empty although an earlier owner writes its root late", async () => {
    const full: Data = new Map();
    await use(driverOf(full), (store) => store.commit([put("a")]));
    const late = [...full].filter(([key]) => key.startsWith(`list:${LIST}:`));
    const data: Data = new Map(full);
    await use(driverOf(data), (store) => store.commit([removed("a")]));
    await use(driverOf(data), (store) => store.commit([other("1")]));
    expect(mentions(data)).toEqual([]);
    for (const [key, value] of late) data.set(key, value);
    await use(driverOf(data), async (store) => {
      expect(await countIn(store)).toBe(0);
      expect(await idsIn(store)).toEqual([]);
      await store.commit([put("b")]);
    });
    expect(await use(driverOf(data), idsIn)).toEqual(["b"]);
    await expectIntact(driverOf(data));
  });
});

it.each([
  ["new", async () => new Map()],
  ["empty before", emptied],
])("a list that was %s and stored by a checkpoint that failed later has its rows", async (_, create) => {
  const data: Data = await create();
  const driver = driverOf(data);
  let isBroken = true;
  const store = openStore(
    {
      ...driver,
      setItem: async (key, value, options) => {
        if (isBroken && key.startsWith("list:others:")) throw new Error("the disk is broken");
        return driver.setItem?.(key, value, options);
      },
    },
    { checkpointRecords: 2 },
  );
  await store.commit([put("a"), other("1")]);
  await store.commit([other("2")]);
  await expect.poll(() => [...data.keys()].filter((key) => key.startsWith(`list:${LIST}:`)).length).toBe(3);
  isBroken = false;
  await store.commit([other("3")]);
  await store.commit([other("4")]);
  await store.close();
  expect(await use(driverOf(data), idsIn)).toEqual(["a"]);
  await expectIntact(driverOf(data));
});

it("a list that is emptied and removed is intact whichever call of a checkpoint fails", async () => {
  let failures = 0;
  for (let at = 1, isOver = false; !isOver; at++) {
    const data: Data = new Map();
    const driver = driverOf(data);
    let calls = 0;
    const failing: Driver = {
      ...driver,
      setItem: async (key, value, options) => {
        if (key.startsWith("list:") && ++calls === at) throw new Error("the disk is broken");
        return driver.setItem?.(key, value, options);
      },
    };
    const store = openStore(failing, { checkpointRecords: 2 });
    await store.commit([put("a"), other("0")]);
    await store.commit([removed("a")]);
    for (let number = 1; number <= 8; number++) {
      await store.commit([other(String(number))]);
      await turnEventLoop(20);
    }
    await store.close();
    isOver = calls < at;
    if (!isOver) failures++;
    expect(await use(driverOf(data), idsIn)).toEqual([]);
    await expectIntact(driverOf(data));
  }
  expect(failures).toBeGreaterThan(10);
});

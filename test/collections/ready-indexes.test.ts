/** An index that is ready stays so, and answers, while records are written and parts of lists are not in memory. */
import { expect, it } from "vitest";
import memoryDriver from "../../adapters/storage/memory.ts";
import { collectionKey } from "../../src/collections/collection-rows.ts";
import type { StoreAdapter } from "../../src/ports/store-adapter.ts";
import { openService } from "../support/engine/service.ts";
import { type Data, driverOf, openData } from "../support/storage/damaged-storage.ts";
import { heldStore } from "../support/storage/held-store.ts";
import { until } from "../support/until.ts";

const SIZES = { leafSizes: { rows: 100, marks: 1_000, orders: 100 }, listCacheSize: 1 };
const INDEX_PART = /^list:derived\.record-index\.[^:]*:\d/;
/** More than are sorted without an index. */
const RECORDS = 2_100;
const record = (a: number) => ({ data: { loan: { a } } });
const none = async () => {};

/** A driver that calls `before` before a part of an index is read. */
function watched(data: Data, before: () => Promise<void>) {
  const driver = driverOf(data);
  return {
    ...driver,
    async getItem(...args: Parameters<typeof driver.getItem>) {
      if (INDEX_PART.test(args[0])) await before();
      return driver.getItem(...args);
    },
  };
}

/** A collection with an index, stored and closed. */
async function createCollection(data: Data) {
  const { stepwell, app } = await openService({ storage: { entities: heldStore(driverOf(data), none, SIZES) } });
  const { id } = await stepwell.collections.create(app, { name: "Loans", config: { indexes: ["loan:a"] } });
  const operations = Array.from({ length: RECORDS }, (_, n) => ({
    op: "create" as const,
    ...record((n * 7_919) % RECORDS),
  }));
  for (let start = 0; start < RECORDS; start += 700) {
    await stepwell.records.bulk(app, id, { operations: operations.slice(start, start + 700) });
  }
  await stepwell.close();
  return { app, id };
}

async function storedIndexes(data: Data, id: string): Promise<unknown> {
  const store = openData(data);
  const found = await store.get<{ indexes: unknown }>(collectionKey(id));
  await store.close();
  return found?.document.indexes;
}

it("A ready index answers after a restart although records are created while its parts are read", async () => {
  const data: Data = new Map();
  const { app, id } = await createCollection(data);
  const indexes = await storedIndexes(data, id);
  expect(indexes).toMatchObject([{ state: "ready" }]);

  let created = 0;
  let beforeRead = async () => {};
  const driver = watched(data, () => beforeRead());
  const { stepwell } = await openService({ storage: { entities: heldStore(driver, none, SIZES) } }, app);
  await stepwell.ready();
  // Some belong to a part of the index that has just been read, and the next ones to one that is not in memory.
  const create = async () => {
    await stepwell.records.create(app, id, record(150 * Math.floor(created++ / 4)));
  };
  await create();
  beforeRead = async () => {
    if (created < 30) await create();
  };
  const { items } = await stepwell.records.list(app, id, { sort: "loan:a", take: 100 });
  expect(created).toBeGreaterThan(4);
  const values = items.map((item) => Number(item.data["loan"]?.["a"]));
  expect(values).toHaveLength(100);
  expect(values).toEqual(values.toSorted((one, other) => one - other));
  expect((await stepwell.collections.get(app, id)).config.index_states).toEqual([{ path: "loan:a", state: "ready" }]);
  await stepwell.close();
  expect(await storedIndexes(data, id)).toEqual(indexes);
});

it("A page is whole although its index is removed while it is read", async () => {
  const store = openData(new Map());
  let beforeRead = async (_list: string) => {};
  const entities: StoreAdapter = {
    name: "held",
    canBeShared: false,
    blobs: memoryDriver(),
    createStore: () => ({
      ...store,
      async listDocuments(list, query, keyOf) {
        await beforeRead(list);
        return store.listDocuments(list, query, keyOf);
      },
    }),
  };
  const { stepwell, app } = await openService({ storage: { entities } });
  const { id } = await stepwell.collections.create(app, { name: "Loans", config: { indexes: ["loan:a"] } });
  await stepwell.records.bulk(app, id, {
    operations: Array.from({ length: 150 }, (_, n) => ({ op: "create" as const, ...record((n * 7) % 150) })),
  });

  let reads = 0;
  beforeRead = async (list) => {
    if (!list.startsWith("derived.record-index.") || ++reads !== 2) return;
    await stepwell.collections.update(app, id, { config: { indexes: [] } });
    await until(async () => (await store.list(list, { limit: 0 })).total === 0);
  };
  const { items, more } = await stepwell.records.list(app, id, { sort: "loan:a", take: 120 });
  expect(items.map((item) => item.data["loan"]?.["a"])).toEqual(Array.from({ length: 120 }, (_, n) => n));
  expect(more).toBe(true);
  expect(reads).toBeGreaterThan(1);
  await stepwell.close();
});

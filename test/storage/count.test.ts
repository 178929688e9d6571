/** Counting the rows of a list without reading its pages. */
import { expect, it } from "vitest";
import type { Store } from "../../src/ports/store.ts";
import { type Data, driverOf } from "../support/storage/damaged-storage.ts";
import { openStore } from "../support/storage/open.ts";

const LIST = "things";
const put = (id: string) => ({ key: `thing:${id}` as const, document: {}, rows: [{ list: LIST, put: { id } }] });
const count = async (store: Store) => (await store.list(LIST, { limit: 0 })).total;

/** A store, and the pages that it reads. */
function open(data: Data) {
  const pages: string[] = [];
  const driver = driverOf(data);
  const note = (key: string) => {
    if (/^list:things:\d/.test(key)) pages.push(key);
  };
  const { getItem, getItems } = driver;
  const spied: typeof driver = {
    ...driver,
    getItem(key, options) {
      note(key);
      return getItem.call(driver, key, options);
    },
    ...(getItems && {
      getItems(items, options) {
        for (const { key } of items) note(key);
        return getItems.call(driver, items, options);
      },
    }),
  };
  return { store: openStore(spied), pages };
}

it("A list is counted without reading its pages until it changes, and then with its changes", async () => {
  const data: Data = new Map();
  const first = open(data).store;
  expect(await count(first)).toBe(0);
  await first.commit([put("a"), put("b")]);
  expect(await count(first)).toBe(2);
  await first.close();

  const { store, pages } = open(data);
  expect([await count(store), await count(store)]).toEqual([2, 2]);
  expect(pages).toEqual([]);
  await store.commit([put("c")]);
  expect(await count(store)).toBe(3);
  expect(pages).toHaveLength(1);
  await store.commit([{ key: "thing:a", document: null, expected: 1, rows: [{ list: LIST, delete: "a" }] }]);
  expect(await count(store)).toBe(2);

  // Not closed: the log has the changes.
  const next = open(data).store;
  expect(await count(next)).toBe(2);
  expect((await next.list(LIST, { limit: 10 })).ids).toEqual(["c", "b"]);
  await next.close();
  const last = open(data);
  expect(await count(last.store)).toBe(2);
  expect(last.pages).toEqual([]);
});

it("A count fails if the root of the list is lost", async () => {
  const data: Data = new Map();
  const { store } = open(data);
  await store.commit([put("a")]);
  await store.close();
  for (const copy of ["a", "b"]) data.delete(`list:${LIST}:${copy}`);
  await expect(count(open(data).store)).rejects.toMatchObject({ code: "unavailable" });
});

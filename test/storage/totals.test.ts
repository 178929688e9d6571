/** The numbers of rows of several lists are of one moment, also while leaves of the lists are being read. */
import { expect, it } from "vitest";
import type { Lists } from "../../src/storage/lists/lists.ts";
import { type Data, driverOf } from "../support/storage/damaged-storage.ts";
import { LIST, openLists, TINY_LEAVES } from "../support/storage/row-lists.ts";

const OTHER = "others";
const NAMES = [LIST, OTHER, "none"];
const IS_LEAF = new RegExp(`^list:${LIST}:\\d`);
const options = { sizes: TINY_LEAVES, cacheSize: 1 };
const idOf = (n: number) => `id${String(n).padStart(2, "0")}`;

/** Adds a row to both lists, as a commit does. */
function add(lists: Lists, n: number): void {
  for (const list of [LIST, OTHER]) lists.apply({ list, put: { id: idOf(n) } });
}

/** Twenty rows in each list, of which no leaf is in memory. @param before Called before a leaf is read. */
async function openStored(before: () => Promise<void>): Promise<Lists> {
  const data: Data = new Map();
  const first = await openLists(driverOf(data), options);
  for (let n = 0; n < 40; n += 2) add(first, n);
  await first.save();
  const driver = driverOf(data);
  return openLists(
    {
      ...driver,
      async getItem(...args: Parameters<typeof driver.getItem>) {
        await undefined;
        if (IS_LEAF.test(args[0])) await before();
        return driver.getItem(...args);
      },
    },
    options,
  );
}

const totals = async (lists: Lists) => Object.fromEntries(await lists.totals(NAMES));
const both = (total: number) => ({ [LIST]: total, [OTHER]: total, none: 0 });

it("Changes that come while others wait for their leaves don't count, and are made", async () => {
  let lists: Lists | null = null;
  let next = 1;
  // Each read of a leaf meets another change, which waits for another leaf.
  const opened = await openStored(async () => {
    if (lists !== null && next < 40) add(lists, next);
    next += 6;
  });
  add(opened, 3);
  lists = opened;
  const counts = [totals(opened), totals(opened)];
  expect(await Promise.all(counts)).toEqual([both(21), both(21)]);
  while (next < 40) await opened.query(LIST, { limit: 100 });
  const { ids } = await opened.query(LIST, { limit: 100, descending: false });
  expect(ids).toHaveLength(28);
  expect(ids).toEqual([...new Set(ids)].sort());
  expect(await totals(opened)).toEqual(both(28));
});

it("Counting fails with the driver, and counts every change once it works again", async () => {
  let isFailing = true;
  const lists = await openStored(async () => {
    if (isFailing) throw new Error("the disk is gone");
  });
  for (const n of [1, 15, 31]) add(lists, n);
  const counts = await Promise.allSettled([totals(lists), totals(lists), lists.query(LIST, { limit: 1 })]);
  expect(counts.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  isFailing = false;
  add(lists, 33);
  const again = [totals(lists), lists.query(LIST, { limit: 1 }), totals(lists)];
  expect(await Promise.all(again)).toMatchObject([both(24), { total: 24 }, both(24)]);
});

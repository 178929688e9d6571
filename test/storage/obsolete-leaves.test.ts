/** Leaves of lists whose deletion fails: a later checkpoint deletes them, also those of a list that nobody uses again. */
import { describe, expect, it } from "vitest";
import type { ExtendedDriver } from "../../src/ports/driver.ts";
import { type Data, driverOf } from "../support/storage/damaged-storage.ts";
import { expectIntact } from "../support/storage/expect-intact.ts";
import { openStore } from "../support/storage/open.ts";

const LIST = "things";
const leavesOf = (data: Data) => [...data.keys()].filter((key) => /^list:things:\d/.test(key));

/** A driver that deletes no leaf. */
const keepingLeaves = (data: Data): ExtendedDriver => {
  const driver = driverOf(data);
  return {
    ...driver,
    removeItem: async (key, options) => {
      if (leavesOf(data).includes(key)) throw new Error("the disk is broken");
      return driver.removeItem?.(key, options);
    },
  };
};

/** A storage with an emptied list, whose leaf could not be deleted. */
async function emptied(): Promise<Data> {
  const data: Data = new Map();
  const first = openStore(driverOf(data));
  await first.commit([{ key: "thing:a", document: {}, rows: [{ list: LIST, put: { id: "a" } }] }]);
  await first.close();
  const second = openStore(keepingLeaves(data));
  await second.commit([{ key: "thing:a", document: null, expected: 1, rows: [{ list: LIST, delete: "a" }] }]);
  await second.close();
  expect(leavesOf(data)).toHaveLength(1);
  return data;
}

const writeOther = async (driver: ExtendedDriver, key: `other:${number}`) => {
  const store = openStore(driver);
  await store.commit([{ key, document: {}, rows: [{ list: "others", put: { id: key } }] }]);
  await store.close();
};

describe("leaves that could not be deleted", () => {
  it("are deleted by the first checkpoint that can, of any later owner", async () => {
    const data = await emptied();
    await writeOther(keepingLeaves(data), "other:1");
    expect(leavesOf(data)).toHaveLength(1);
    await writeOther(driverOf(data), "other:2");
    expect(leavesOf(data)).toEqual([]);
  });

  it("are not looked for again once they are deleted", async () => {
    const data = await emptied();
    await writeOther(driverOf(data), "other:1");
    const roots = () => [...data].filter(([key]) => key.startsWith(`list:${LIST}:`));
    expect(roots()).toHaveLength(2);
    await writeOther(driverOf(data), "other:2");
    expect(roots()).toEqual([]); // the list is empty
    await writeOther(driverOf(data), "other:3");
    expect(roots()).toEqual([]);
  });

  it("are no damage", async () => {
    const data = await emptied();
    await expectIntact(driverOf(data));
  });
});

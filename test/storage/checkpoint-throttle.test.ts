/** Commits on a storage that stores documents more slowly than the log: they wait a little each, and none for all. */
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import memoryDriver from "../../adapters/storage/memory.ts";
import { openStore } from "../support/storage/open.ts";

const RECORDS = 100;
const COMMITS = 12 * RECORDS;

it("Commits during a slow checkpoint wait for a part of it each", async () => {
  const driver = memoryDriver();
  let stored = 0;
  const slow = {
    ...driver,
    async setItem(...[key, value, options]: Parameters<NonNullable<typeof driver.setItem>>) {
      if (key.startsWith("thing:")) {
        for (let turn = 0; turn < 20; turn++) await setImmediate();
        stored++;
      }
      await driver.setItem?.(key, value, options);
    },
  };
  const store = openStore(slow, { checkpointRecords: RECORDS });
  const waits: number[] = [];
  let ahead = 0;
  for (let count = 0; count < COMMITS; count++) {
    const before = stored;
    await store.commit([{ key: `thing:${count}`, document: { count } }]);
    waits.push(stored - before);
    ahead = Math.max(ahead, count - stored);
  }
  // All at once would be 300 or more: what was logged while the checkpoint before was stored.
  expect(Math.max(...waits)).toBeLessThan(RECORDS);
  expect(ahead).toBeLessThan(10 * RECORDS);
  await store.close();
  expect(stored).toBe(COMMITS);
});

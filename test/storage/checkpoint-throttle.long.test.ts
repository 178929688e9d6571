/** Commits on a storage that stores documents more slowly than the log: they wait a little each, and none for all. */
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import memoryDriver from "../../adapters/storage/memory.ts";
import { openStore } from "../support/storage/open.ts";
import { isSegment } from "../support/storage/stored-documents.ts";

const RECORDS = 25;
const COMMITS = 8 * RECORDS;
/** A checkpoint stores five segments or more. */
const DOCUMENT = { text: "x".repeat(300_000) };

it("Commits during a slow checkpoint wait for a part of it each", async () => {
  const driver = memoryDriver();
  let stored = 0;
  const slow = {
    ...driver,
    async setItemRaw(...[key, bytes, options]: Parameters<NonNullable<typeof driver.setItemRaw>>) {
      if (isSegment(key)) {
        for (let turn = 0; turn < 20; turn++) await setImmediate();
        stored++;
      }
      await driver.setItemRaw?.(key, bytes, options);
    },
  };
  const store = openStore(slow, { checkpointRecords: RECORDS, checkpointSize: Number.MAX_SAFE_INTEGER });
  const waits: number[] = [];
  for (let count = 0; count < COMMITS; count++) {
    const before = stored;
    await store.commit([{ key: `thing:${count}`, document: DOCUMENT }]);
    waits.push(stored - before);
  }
  // All at once would be 20 or more: what was logged while the checkpoint before was stored.
  expect(Math.max(...waits)).toBeLessThan(10);
  expect(stored).toBeGreaterThan(COMMITS / 20);
  await store.close();
});

/** Reading a journal: all of its records, in their order, however many there are. */
import { expect, it } from "vitest";
import { outcomeChanges } from "../../src/engine/state/journal.ts";
import { readJournal } from "../../src/engine/state/read-journal.ts";
import { omitUndefined } from "../../src/json.ts";
import { memory } from "../support/engine/memory.ts";
import { openStore } from "../support/storage/open.ts";

/** Records are read 32 at a time. */
it.each([0, 1, 31, 32, 33, 63, 64, 65, 97])(
  "a journal of %i records is read as a whole, in its order",
  async (count) => {
    const store = openStore(memory(new Map()).driver);
    for (let number = 1; number <= count; number++) {
      const outcome = { output: number, error: null, attempts: 1, started_at: number, finished_at: number };
      const settled = { index: number, item: null, iteration: 1, outcome };
      await store.commit(outcomeChanges("run_1", number, [settled], []).changes);
    }
    const { records, entries } = await readJournal(store, "run_1");
    expect(records).toBe(count);
    const all = Array.from({ length: count }, (_, n) => n + 1);
    expect(entries.map(({ index }) => index)).toEqual(all);
    expect(entries.map(({ outcome }) => outcome.output)).toEqual(all);
    await store.close();
  },
);

it("reads of the outputs of iterations only those that something may read again", async () => {
  const store = openStore(memory(new Map()).driver);
  const large = (n: number) => `${n}${"x".repeat(20 * 1024)}`;
  let number = 0;
  const put = async (index: number, iteration: number, continues: { operations: number } | undefined) => {
    const outcome = { output: large(iteration), error: null, attempts: 1, started_at: 0, finished_at: 0 };
    const settled = { index, item: null, iteration, outcome: { ...outcome, ...omitUndefined({ continues }) } };
    await store.commit(outcomeChanges("run_1", ++number, [settled], []).changes);
  };
  for (let iteration = 1; iteration <= 50; iteration++) await put(1, iteration, { operations: iteration });
  await put(2, 1, undefined);
  await put(1, 51, undefined);
  const read: string[] = [];
  const getMany: typeof store.getMany = (keys) => {
    read.push(...keys.filter((key) => key.startsWith("output:")));
    return store.getMany(keys);
  };
  const { entries, largeValues } = await readJournal({ ...store, getMany }, "run_1");
  // The condition after iteration 51 sees the output of iteration 50.
  expect(read.sort()).toEqual(["output:run_1.1.50", "output:run_1.1.51", "output:run_1.2.1"]);
  expect(entries.slice(-3).map(({ outcome }) => outcome.output)).toEqual([large(50), large(1), large(51)]);
  expect(largeValues.size).toBe(52);
  await store.close();
});

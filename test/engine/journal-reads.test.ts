/** Reading a journal: all of its records, in their order, however many there are. */
import { expect, it } from "vitest";
import { outcomeChanges, readJournal } from "../../src/engine/state/journal.ts";
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

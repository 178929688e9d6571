/** Random commits, reads, restarts and crashes, compared with a simple model of a store. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMemoryData, createMemoryStore } from "../../src/storage/memory-store.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { faultyDriver } from "../support/storage/faulty.ts";
import { openStore } from "../support/storage/open.ts";
import { TINY_LEAVES } from "../support/storage/row-lists.ts";
import {
  commitTo,
  commitToBoth,
  compareAll,
  compareList,
  compareWithModel,
  creation,
  emptyModel,
  type Step,
  steps,
} from "../support/storage/store-model.ts";

async function run(given: readonly Step[], options: object) {
  let data = new Map<string, string>();
  let store = openStore(faultyDriver(data, "rejects", 0).driver, options);
  let model = emptyModel();
  let created = 0;

  async function crash(commits: number, calls: number, torn: boolean): Promise<void> {
    // The process so far ends without a close; the next one dies during its commits.
    const dying = faultyDriver(new Map(data), torn ? "tears the write and dies" : "dies", calls + 1);
    data = dying.data;
    store = openStore(dying.driver, options);
    const first = created;
    created += commits;
    const acknowledged: number[] = [];
    const all = Array.from({ length: commits }, async (_, index) => {
      await store.commit(creation(first + index));
      acknowledged.push(first + index);
    });
    await Promise.race([Promise.all(all), dying.death]);
    data = new Map(data);
    store = openStore(faultyDriver(data, "rejects", 0).driver, options);
    for (let number = first; number < created; number++) {
      const isThere = (await store.get(`thing:new${number}`)) !== null;
      if (acknowledged.includes(number)) expect(isThere).toBe(true);
      if (isThere) commitTo(model, creation(number));
    }
  }

  for (const one of given) {
    if (one.does === "commit") {
      model = await commitToBoth(store, model, one.intents);
    } else if (one.does === "list") {
      await compareList(store, model, one);
    } else if (one.does === "restart") {
      await store.close();
      store = openStore(faultyDriver(data, "rejects", 0).driver, options);
    } else {
      await crash(one.commits, one.calls, one.torn);
    }
    await compareAll(store, model, created);
  }
  await store.close();
}

describe("a store under random commits, lists, restarts and crashes", () => {
  it.each([
    ["with few checkpoints", {}],
    ["with a checkpoint after each record and no cache", { checkpointRecords: 1, cacheSize: 1 }],
    ["with a checkpoint after every third record", { checkpointRecords: 3 }],
    [
      "with tiny leaves, none of which stays in memory",
      { checkpointRecords: 2, leafSizes: TINY_LEAVES, listCacheSize: 1 },
    ],
  ])("returns what a simple model returns, %s", async (_, options) => {
    await fc.assert(
      fc.asyncProperty(steps, (given) => run(given, options)),
      { numRuns: 25 },
    );
  });

  it("returns what a simple model returns, in memory without a driver", async () => {
    const run = (given: readonly Step[]) => {
      const data = createMemoryData();
      return compareWithModel(given, () => createMemoryStore({ clock: systemClock, data }));
    };
    await fc.assert(fc.asyncProperty(steps, run), { numRuns: 50 });
  });
});

/** Durable timers fire at their time, whatever precedes them. */
import { expect, it } from "vitest";
import { nodeHash } from "../../adapters/crypto/node-hash.ts";
import memoryDriver from "../../adapters/storage/memory.ts";
import { createIds } from "../../src/ids.ts";
import { createDriverStore } from "../../src/storage/store.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { createDurableTimers, dueRow } from "../../src/time/durable-timers.ts";
import { silent } from "../support/engine/service.ts";

it("a durable timer that stays due does not delay later ones", async () => {
  const clock = createTestClock();
  const store = createDriverStore({
    driver: memoryDriver(),
    clock,
    ids: createIds(clock),
    logger: silent,
    hash: nodeHash,
  });
  const at = (seconds: number) => new Date(clock.now() + seconds * 1_000).toISOString();
  const moments = new Map([
    ["stays", at(1)],
    ["later", at(2)],
  ]);
  for (const [id, due] of moments) {
    await store.commit([{ key: `thing:${id}`, document: {}, rows: [dueRow("due", id, due)] }]);
  }
  const fell: string[] = [];
  const timers = createDurableTimers({
    ...{ store, clock, logger: silent, list: "due" },
    dueOf: async (id) => moments.get(id) ?? null,
    onDue: async (id) => void fell.push(id),
  });
  await timers.start();
  await clock.advance("1s");
  expect(fell).toEqual(["stays"]);
  await clock.advance("1s");
  expect(fell).toEqual(["stays", "stays", "later"]);
  await timers.stop();
  await store.close();
});

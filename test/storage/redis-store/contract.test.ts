/** The store's contract, and random commits compared with a simple model, on Redis with each client. */
import fc from "fast-check";
import { describe, inject, it } from "vitest";
import { sample, times } from "../../support/sample.ts";
import { CLIENTS, openRedisStore, redisFixture, uniquePrefix } from "../../support/storage/redis-stores.ts";
import { storeContract } from "../../support/storage/store-contract.ts";
import { compareWithModel, type Step, steps } from "../../support/storage/store-model.ts";

const ALL_MODES = CLIENTS.flatMap((client) =>
  [false, true].map((isShared) => ({ name: `${isShared ? "shared, " : ""}with ${client.name}`, client, isShared })),
);
/** Both ways to open it, each with another client library. */
const MODES = sample(ALL_MODES, ["with node-redis", "shared, with its own ioredis"]);

for (const { name, client, isShared } of MODES) {
  storeContract(`redis-store, ${name}`, () => redisFixture(inject("redis"), client, isShared));
}

describe("a Redis store under random commits, lists and restarts", () => {
  it.each(MODES)("returns what a simple model returns, $name", async ({ client: { connect }, isShared }) => {
    const { client, close } = await connect(inject("redis"));
    const run = (given: readonly Step[]) => {
      const prefix = uniquePrefix();
      return compareWithModel(given, () => openRedisStore(client ?? inject("redis"), { prefix, isShared }));
    };
    await fc.assert(fc.asyncProperty(steps, run), { numRuns: times(10, 25) });
    await close();
  });
});

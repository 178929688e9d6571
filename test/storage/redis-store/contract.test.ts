/** The store's contract, and random commits compared with a simple model, on Redis with each client. */
import fc from "fast-check";
import { describe, inject, it } from "vitest";
import { CLIENTS, openRedisStore, redisFixture, uniquePrefix } from "../../support/storage/redis-stores.ts";
import { storeContract } from "../../support/storage/store-contract.ts";
import { compareWithModel, type Step, steps } from "../../support/storage/store-model.ts";

for (const kind of CLIENTS) {
  storeContract(`redis-store, with ${kind.name}`, () => redisFixture(inject("redis"), kind));
  storeContract(`redis-store, shared, with ${kind.name}`, () => redisFixture(inject("redis"), kind, true));
}

describe("a Redis store under random commits, lists and restarts", () => {
  const modes = CLIENTS.flatMap((kind) => [false, true].map((isShared) => ({ ...kind, isShared })));
  it.each(modes)(
    "returns what a simple model returns, with $name, shared: $isShared",
    async ({ connect, isShared }) => {
      const { client, close } = await connect(inject("redis"));
      const run = (given: readonly Step[]) => {
        const prefix = uniquePrefix();
        return compareWithModel(given, () => openRedisStore(client ?? inject("redis"), { prefix, isShared }));
      };
      await fc.assert(fc.asyncProperty(steps, run), { numRuns: 25 });
      await close();
    },
  );
});

/** The store's contract, and random commits compared with a model, on a real PostgreSQL server. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { postgresFixture } from "../../support/storage/postgres.ts";
import { storeContract } from "../../support/storage/store-contract.ts";
import { compareWithModel, type Step, steps } from "../../support/storage/store-model.ts";

/** Each increment is a transaction, and seven of eight lose. */
const INCREMENTS = 80;

storeContract("PostgreSQL", async () => postgresFixture(), INCREMENTS);

describe("a store on PostgreSQL under random commits, lists and restarts", () => {
  it("returns what a simple model returns", async () => {
    const run = async (given: readonly Step[]) => {
      const fixture = postgresFixture();
      try {
        await compareWithModel(given, fixture.open);
      } finally {
        await fixture.clean();
      }
    };
    await expect(fc.assert(fc.asyncProperty(steps, run), { numRuns: 10 })).resolves.toBeUndefined();
  });
});

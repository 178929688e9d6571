/** The store's contract, and random commits compared with a model, on a real PostgreSQL server. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { times } from "../../support/sample.ts";
import { type PostgresFixture, postgresFixture } from "../../support/storage/postgres.ts";
import { storeContract } from "../../support/storage/store-contract.ts";
import { compareWithModel, type Step, steps } from "../../support/storage/store-model.ts";

/** Each increment is a transaction, and seven of eight lose. */
const INCREMENTS = times(40, 80);

const MODES = [
  { name: "PostgreSQL", openOf: ({ open }: PostgresFixture) => open },
  { name: "PostgreSQL, shared", openOf: ({ openShared }: PostgresFixture) => openShared },
];

for (const { name, openOf } of MODES) {
  const createFixture = async () => {
    const fixture = postgresFixture();
    return { open: openOf(fixture), clean: fixture.clean };
  };
  storeContract(name, createFixture, INCREMENTS);
}

describe("a store on PostgreSQL under random commits, lists and restarts", () => {
  it.each(MODES)("returns what a simple model returns: $name", async ({ openOf }) => {
    const run = async (given: readonly Step[]) => {
      const fixture = postgresFixture();
      try {
        await compareWithModel(given, openOf(fixture));
      } finally {
        await fixture.clean();
      }
    };
    await expect(fc.assert(fc.asyncProperty(steps, run), { numRuns: times(4, 10) })).resolves.toBeUndefined();
  });
});

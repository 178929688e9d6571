/** The store's contract and its model on SQLite. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { storeContract } from "../../support/storage/store-contract.ts";
import { compareWithModel, type Step, steps } from "../../support/storage/store-model.ts";
import { createStoreFile } from "./open.ts";

storeContract("SQLite", async () => createStoreFile());

describe("a SQLite store under random commits, lists and restarts", () => {
  it("returns what a simple model returns", async () => {
    let restarts = 0;
    const run = async (given: readonly Step[]) => {
      const { open, clean } = createStoreFile();
      await compareWithModel(given, open);
      restarts += given.filter(({ does }) => does === "restart").length;
      await clean();
    };
    await fc.assert(fc.asyncProperty(steps, run), { numRuns: 50 });
    expect(restarts).toBeGreaterThan(0);
  });
});

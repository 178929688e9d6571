/** The store's contract and its model on SQLite. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import sqlite from "../../../adapters/storage/sqlite/sqlite.ts";
import { systemClock } from "../../../src/time/system-clock.ts";
import { silent } from "../../support/storage/open.ts";
import { storeContract } from "../../support/storage/store-contract.ts";
import { compareWithModel, type Step, steps } from "../../support/storage/store-model.ts";

function createFile() {
  const folder = mkdtempSync(join(tmpdir(), "stepwell-sqlite-"));
  const file = join(folder, "deep", "store.db");
  const open = () => sqlite({ file }).createStore({ clock: systemClock, logger: silent });
  return { file, open, clean: async () => rmSync(folder, { recursive: true }) };
}

storeContract("SQLite", async () => createFile());

describe("a SQLite store under random commits, lists and restarts", () => {
  it("returns what a simple model returns", async () => {
    const run = async (given: readonly Step[]) => {
      const { open, clean } = createFile();
      await compareWithModel(given, open);
      await clean();
    };
    await fc.assert(fc.asyncProperty(steps, run), { numRuns: 50 });
    expect(true).toBe(true);
  });
});

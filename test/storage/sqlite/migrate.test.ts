/** A storage with one of everything, moved to a SQLite file and back. */
import { expect, it } from "vitest";
import fsDriver from "../../../adapters/storage/fs/fs.ts";
import sqlite from "../../../adapters/storage/sqlite/sqlite.ts";
import { migrateStorage, repairStorage } from "../../../src/index.ts";
import { runCli } from "../../support/cli/run-cli.ts";
import { contentsOf, createFolder, fillStorage, finishOn } from "../../support/storage/migrations.ts";
import { silent } from "../../support/storage/open.ts";

it("copies everything to a SQLite file and back, and a service goes on with both", async () => {
  const { path, folder: cwd, clean } = createFolder();
  const folder = (name: string) => ({ entities: fsDriver({ base: path(name) }) });
  const file = () => ({ entities: sqlite({ file: path("store.db") }) });
  const filled = await fillStorage(folder("source"));
  const before = await contentsOf(folder("source"));
  const { code, stdout } = await runCli(["migrate", "--from", "source", "--to", "sqlite:store.db", "--json"], {
    cwd,
    env: {},
  });
  expect({ code, report: JSON.parse(stdout) }).toMatchObject({
    code: 0,
    report: { documents: before.documents.length, rows: before.rows.length, isResumed: false },
  });
  expect(await contentsOf(file())).toEqual(before);
  await migrateStorage({ from: file(), to: folder("back"), logger: silent });
  expect(await contentsOf(folder("back"))).toEqual(before);
  const driver = fsDriver({ base: path("back") });
  expect(await repairStorage({ driver, isDryRun: true, logger: silent })).toMatchObject({ rebuilt: [], orphaned: [] });
  await driver.dispose?.();
  for (const storage of [file(), folder("back")]) {
    expect(await finishOn(storage, filled)).toEqual({ status: "succeeded", size: 3_000_000, isSame: true });
  }
  clean();
});

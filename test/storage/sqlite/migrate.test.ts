/** A storage with one of everything, moved to a SQLite file and back. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import fsDriver from "../../../adapters/storage/fs/fs.ts";
import { loadSqlite } from "../../../adapters/storage/sqlite/database.ts";
import sqlite from "../../../adapters/storage/sqlite/sqlite.ts";
import { createStepwell, migrateStorage, repairStorage } from "../../../src/index.ts";
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

it("refuses a file that is missing or of something else, and creates nothing", async () => {
  const { path, folder, clean } = createFolder();
  const migrate = (name: string) =>
    migrateStorage({
      from: { entities: sqlite({ file: path(name) }) },
      to: { entities: fsDriver({ base: path("target") }) },
      logger: silent,
    });
  writeFileSync(path("empty.db"), "");
  writeFileSync(path("notes.txt"), "Nothing that SQLite knows. ".repeat(100));
  const other = (await loadSqlite())(path("other.db"));
  other.exec("CREATE TABLE meta (name TEXT)");
  other.close();
  const before = readdirSync(folder);
  const bytes = readFileSync(path("other.db"));
  for (const name of ["typo.db", "no-folder/store.db", "empty.db", "notes.txt", "other.db"]) {
    await expect(migrate(name)).rejects.toMatchObject({
      code: "not_found",
      message: expect.stringContaining(`there is no storage of Stepwell in the file ${path(name)}.`),
    });
  }
  expect(readdirSync(folder)).toEqual(before);
  expect(readFileSync(path("other.db"))).toEqual(bytes);

  const stepwell = createStepwell({ storage: { entities: sqlite({ file: path("store.db") }) }, logger: silent });
  await stepwell.ready();
  await stepwell.close();
  expect(await migrate("store.db")).toMatchObject({ files: 0 });
  clean();
});

it("says that it cannot write where the folder does not let it", async () => {
  const { path, clean } = createFolder();
  // What a folder that is read-only does to everybody but root.
  writeFileSync(path("store.db.lock"), "");
  const stepwell = createStepwell({ storage: { entities: sqlite({ file: path("store.db") }) }, logger: silent });
  await expect(stepwell.apps.list()).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringMatching(/store\.db cannot be opened: .* Its folder must be writable for this process\.$/),
  });
  await stepwell.close();
  clean();
});

/** `stepwell migrate` between folders. */
import { readdirSync, symlinkSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import fsDriver from "../../adapters/storage/fs/fs.ts";
import { createStepwell } from "../../src/index.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { createFolder } from "../support/storage/migrations.ts";
import { silent } from "../support/storage/open.ts";

let folder: ReturnType<typeof createFolder>;
const start = (name: string) =>
  createStepwell({ storage: { entities: fsDriver({ base: folder.path(name) }) }, logger: silent });
const migrate = (...args: string[]) => runCli(["migrate", ...args], { cwd: folder.folder, env: {} });

beforeEach(async () => {
  folder = createFolder();
  const stepwell = start(".stepwell");
  const { id } = await stepwell.apps.create({ name: "Loans" });
  await stepwell.files.create(id, { name: "a.txt", body: new Uint8Array(2_048) });
  await stepwell.close();
  symlinkSync(folder.path(".stepwell"), folder.path("link"));
});
afterEach(() => folder.clean());

describe("stepwell migrate", () => {
  it("copies a folder, and says what both contain", async () => {
    expect(await migrate("--from", ".stepwell", "--to", "copy")).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "Both storages contain the same:
        documents       2
        lists           2
        rows of lists   2
        files           1
        bytes of files  2 KiB
      Set \`storage\` of your service to the new one. The old one is unchanged.
      ",
      }
    `);
    const copy = start("copy");
    expect((await copy.apps.list()).items).toMatchObject([{ name: "Loans" }]);
    await copy.close();
    expect((await migrate("--from", ".stepwell", "--to", "another", "--json")).stdout).toContain('"isResumed": false');
  });

  it("exits with 1 for a target with other data, and says what to do", async () => {
    const other = start("copy");
    await other.apps.create({ name: "Other" });
    await other.close();
    expect(await migrate("--from", ".stepwell", "--to", "copy")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: The target is not empty: .* Empty it, or choose another one\.\n$/),
    });
  });

  it("exits with 1 for a source that does not exist, creates nothing, and the corrected command then works", async () => {
    const mistyped = await migrate("--from", ".stepwel", "--to", "copy");
    expect(mistyped).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`there is no storage of Stepwell in the folder ${folder.path(".stepwel")}.`),
      stdout: "",
    });
    expect(readdirSync(folder.folder)).toEqual([".stepwell", "link"]);
    expect(await migrate("--from", ".stepwell", "--to", "copy")).toMatchObject({ code: 0 });
  });

  it.each([
    [["--to", "copy"], "--from is missing."],
    [["--from", ".stepwell"], "--to is missing."],
    [["--from", ".stepwell", "--to", "./.stepwell"], "--from and --to are the same storage."],
    [["--from", ".stepwell", "--to", "link"], "--from and --to are the same storage."],
    [["--from", ".stepwell", "--to", ".stepwell/copy"], "--to .stepwell/copy is inside the folder of --from."],
    [["--from", "link", "--to", "sqlite:.stepwell/a/store.db"], "is inside the folder of --from."],
    [["--from", ".stepwell", "--to", "copy", "--blobs", "link/bytes"], "--blobs link/bytes is inside the folder"],
    [["--from", ".stepwell", "--to", "s3://bucket"], "is no storage that this command knows."],
    [["--from", ".stepwell", "--to", "sqlite::memory:", "--blobs", ".stepwell", "--nothing"], "--nothing"],
    [["--from", ".stepwell", "--to", "postgres://127.0.0.1/database"], "postgres does not store the bytes of files."],
    [["--from", "postgres://127.0.0.1/database", "--to", ".stepwell"], "Pass where they are with --from-blobs"],
    [["--from", ".stepwell", "--to", "postgres://127.0.0.1/database#Upper"], "The schema of the postgres store"],
    [["--from", ".stepwell", "--to", "redis://127.0.0.1/name"], "must be the number of a database"],
  ])("exits with 2 for %j", async (args, message) => {
    expect(await migrate(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  it("refuses the storage of a config that has none", async () => {
    expect(await migrate("--from", "config", "--to", "copy")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("stepwell.config has no storage.entities."),
    });
  });
});

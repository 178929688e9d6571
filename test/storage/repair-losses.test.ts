/** What a repair says about lost resources and bytes, in words that a person knows. */
import { cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import fsDriver from "../../adapters/storage/fs/fs.ts";
import { createStepwell, repairStorage } from "../../src/index.ts";
import { silent } from "../support/storage/open.ts";
import { loseDocument } from "../support/storage/stored-documents.ts";

let whole: string;
let base: string;
let ids: { app: string; workflow: string; version: string; run: string; file: string };

const newFolder = () => mkdtemp(join(tmpdir(), "stepwell-losses-"));

beforeAll(async () => {
  whole = await newFolder();
  const stepwell = createStepwell({ storage: { entities: fsDriver({ base: whole }) }, logger: silent });
  const app = (await stepwell.apps.create({ name: "Shop" })).id;
  const steps = [{ type: "code" as const, key: "one", code: "return 1" }];
  const workflow = (await stepwell.workflows.create(app, { name: "Order", steps })).id;
  await stepwell.workflows.deploy(app, workflow);
  const version = (await stepwell.workflows.deploy(app, workflow)).id;
  const run = await stepwell.runs.create(app, workflow);
  await stepwell.runs.wait(app, run.id);
  const file = await stepwell.files.create(app, { name: "Contract.txt", body: new Uint8Array(5_000).fill(65) });
  ids = { app, workflow, version, run: run.id, file: file.id };
  await stepwell.close();
});
afterAll(() => rm(whole, { recursive: true }));
beforeEach(async () => {
  base = await newFolder();
  await cp(whole, base, { recursive: true });
});
afterEach(() => rm(base, { recursive: true }));

async function repair(isDryRun: boolean) {
  const driver = fsDriver({ base });
  try {
    return await repairStorage({ driver, logger: silent, isDryRun });
  } finally {
    await driver.dispose?.();
  }
}

/** Makes a document missing. */
async function lose(key: string): Promise<void> {
  const folder = join(base, "documents");
  const data = new Map<string, string>();
  for (const name of await readdir(folder)) data.set(`documents:${name}`, await readFile(join(folder, name), "utf8"));
  expect(loseDocument(data, key)).toBe(true);
  for (const [item, text] of data) await writeFile(join(folder, item.slice("documents:".length)), text);
}

async function placeOf(part: string): Promise<string> {
  const names = await readdir(base, { recursive: true, withFileTypes: true });
  const found = names.find((one) => one.isFile() && join(one.parentPath, one.name).includes(part));
  if (found === undefined) throw new Error(`There is no item with ${part}.`);
  return join(found.parentPath, found.name);
}

it("repairStorage reports no loss of an intact storage", async () => {
  expect(await repair(true)).toMatchObject({ damaged: [], lost: [], losses: [] });
});

describe("repairStorage names", () => {
  it("a lost version of a workflow, and still does after the repair", async () => {
    await lose(`version:${ids.version}`);
    const loss = { kind: "version", id: ids.version, name: 'version 2 of "Order"' };
    expect(await repair(true)).toMatchObject({ losses: [loss] });
    expect(await repair(false)).toMatchObject({ losses: [loss], lost: [`version:${ids.version}`] });
    expect(await repair(true)).toMatchObject({ damaged: [], losses: [loss] });
  });

  it.each(["app", "workflow", "run", "file"] as const)("a lost %s", async (kind) => {
    await lose(`${kind}:${ids[kind]}`);
    const { losses } = await repair(false);
    const names = { app: "shop", workflow: "order", run: null, file: "contract.txt" };
    expect(losses).toContainEqual(expect.objectContaining({ kind, id: ids[kind], name: names[kind] }));
    expect(losses.length).toBe(1);
  });

  it.each([
    ["missing", (path: string) => rm(path), /is missing/],
    ["truncated", (path: string) => truncate(path, 100), /wrong size/],
    ["longer", async (path: string) => writeFile(path, `${await readFile(path, "utf8")}!`), /more than 5000 bytes/],
    ["changed", async (path: string) => writeFile(path, `B${(await readFile(path, "utf8")).slice(1)}`), /SHA-256/],
  ])("a file whose bytes are %s", async (_, damage, detail) => {
    await damage(await placeOf("blob_"));
    const loss = { kind: "bytes", id: ids.file, name: "Contract.txt", detail: expect.stringMatching(detail) };
    expect(await repair(true)).toMatchObject({ damaged: [], losses: [loss] });
    expect(await repair(false)).toMatchObject({ losses: [loss] });
  });
});

it("repairStorage leaves the bytes of files unread if blobs is null", async () => {
  await rm(await placeOf("blob_"));
  const driver = fsDriver({ base });
  expect(await repairStorage({ driver, blobs: null, logger: silent, isDryRun: true })).toMatchObject({ losses: [] });
  await driver.dispose?.();
});

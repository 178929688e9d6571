/** Migrations that are refused: of damaged sources, to targets with other data, and of storages that are in use. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import fsDriver from "../../../adapters/storage/fs/fs.ts";
import memoryDriver from "../../../adapters/storage/memory.ts";
import { createStepwell, type MigratedStorage, migrateStorage } from "../../../src/index.ts";
import type { StoreAdapter } from "../../../src/ports/store-adapter.ts";
import { createMemoryData, createMemoryStore } from "../../../src/storage/memory-store.ts";
import { createFolder } from "../../support/storage/migrations.ts";
import { silent } from "../../support/storage/open.ts";

let folder: ReturnType<typeof createFolder>;
let fileId: string;
const storage = (name = "source") => ({ entities: fsDriver({ base: folder.path(name) }) });
const start = (name?: string) => createStepwell({ storage: storage(name), logger: silent });
const migrate = (to: MigratedStorage = storage("target")) => migrateStorage({ from: storage(), to, logger: silent });

beforeEach(async () => {
  folder = createFolder();
  const stepwell = start();
  const { id: app } = await stepwell.apps.create({ name: "Loans" });
  const file = await stepwell.files.create(app, { name: "a.txt", body: new Uint8Array(100_000).fill(1) });
  fileId = file.id;
  await stepwell.close();
});
afterEach(() => folder.clean());

/** The paths of the stored items whose name matches. */
function itemsOf(pattern: RegExp): readonly string[] {
  const base = folder.path("source");
  const all = readdirSync(base, { recursive: true, withFileTypes: true });
  return all
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => pattern.test(path));
}

describe("migrateStorage", () => {
  it("refuses a target that contains anything else, and names it", async () => {
    const other = start("target");
    await other.apps.create({ name: "Other" });
    await other.close();
    await expect(migrate()).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringMatching(/^The target is not empty: it contains "app:app_/),
    });
  });

  it("refuses a source that has changed since the attempt before, and keeps its target unusable", async () => {
    const stopped = new AbortController();
    const to = () => storage("target");
    const onProgress = ({ phase }: { phase: string }) => {
      if (phase === "checking") stopped.abort();
    };
    const first = migrateStorage({ from: storage(), to: to(), signal: stopped.signal, onProgress, logger: silent });
    await expect(first).rejects.toMatchObject({ name: "AbortError" });
    const stepwell = start();
    await stepwell.apps.create({ name: "Later" });
    await stepwell.close();
    await expect(migrate()).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("the source has changed since"),
    });
    await expect(migrateStorage({ from: to(), to: storage("third"), logger: silent })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("itself the target of an unfinished migration"),
    });
  });

  it("refuses a source or target that is in use", async () => {
    const another = start("another");
    await another.ready();
    await another.close();
    const stepwell = start();
    await stepwell.apps.list();
    await expect(migrate()).rejects.toMatchObject({ code: "unavailable" });
    await expect(migrateStorage({ from: storage("another"), to: storage(), logger: silent })).rejects.toMatchObject({
      code: "unavailable",
    });
    await stepwell.close();
  });

  it("names a damaged document, copies nothing, and changes nothing in the source", async () => {
    const [segment = ""] = itemsOf(/documents/);
    const text = readFileSync(segment, "latin1");
    writeFileSync(segment, text.replace('"Loans"', '"Loams"'), "latin1");
    await expect(migrate()).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/^The document at "app:app_\w+" in the storage is damaged or missing/),
    });
    expect(readFileSync(segment, "latin1")).toBe(text.replace('"Loans"', '"Loams"'));
  });

  it("names a damaged list", async () => {
    const [leaf = ""] = itemsOf(/apps\.all.*[0-9]$/);
    writeFileSync(leaf, readFileSync(leaf, "utf8").slice(1));
    await expect(migrate()).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining('Part of the list "apps.all"'),
    });
  });

  it("says that the manifest of the source is lost, not that there is no storage", async () => {
    for (const item of itemsOf(/manifest/)) rmSync(item);
    await expect(migrate()).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("manifest"),
    });
  });

  it("names the file whose bytes are lost", async () => {
    for (const item of itemsOf(/blob/)) rmSync(item);
    await expect(migrate()).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining(`The bytes of "file:${fileId}" could not be copied`),
    });
  });

  it("leaves bytes where they are if both storages use one driver for them", async () => {
    const shared = fsDriver({ base: folder.path("source") });
    const report = await migrateStorage({
      from: { entities: shared },
      to: { entities: fsDriver({ base: folder.path("target") }), blobs: shared },
      logger: silent,
    });
    expect(report).toMatchObject({ files: 1, bytes: 100_000 });
    expect(existsSync(folder.path("target/blob"))).toBe(false);
  });

  it.each(["lost", "damaged"])("names the file whose bytes are %s where they stay", async (kind) => {
    for (const item of itemsOf(/blob/)) {
      if (kind === "lost") rmSync(item);
      else writeFileSync(item, new Uint8Array(100_000).fill(2));
    }
    const shared = fsDriver({ base: folder.path("source") });
    const to = { entities: fsDriver({ base: folder.path("target") }), blobs: shared };
    await expect(migrateStorage({ from: { entities: shared }, to, logger: silent })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining(`The bytes of "file:${fileId}" could not be read: The`),
    });
    const service = start("target");
    await expect(service.apps.list()).rejects.toMatchObject({ code: "unavailable" });
    await service.close();
  });

  it("says that it has finished with other blobs", async () => {
    const withBlobs = (name: string) => migrate({ ...storage("target"), blobs: fsDriver({ base: folder.path(name) }) });
    await withBlobs("bytes");
    await expect(withBlobs("others")).rejects.toMatchObject({
      code: "conflict",
      message: `The migration to this target has finished with other blobs: those given now do not have the bytes of "file:${fileId}". Pass the ones that it has finished with.`,
    });
    expect(await withBlobs("bytes")).toMatchObject({ isResumed: true, files: 1 });
  });

  it("refuses stores that cannot be moved, or that need a driver for bytes", async () => {
    const entities: StoreAdapter = {
      name: "mine",
      canBeShared: false,
      createStore: ({ clock }) => createMemoryStore({ clock, data: createMemoryData() }),
    };
    await expect(migrateStorage({ from: storage(), to: { entities }, logger: silent })).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining("to.blobs"),
    });
    const to = { entities, blobs: memoryDriver() };
    await expect(migrateStorage({ from: storage(), to, logger: silent })).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining('The store "mine" cannot be moved'),
    });
    const same = storage();
    await expect(migrateStorage({ from: same, to: same })).rejects.toMatchObject({ code: "invalid" });
  });
});

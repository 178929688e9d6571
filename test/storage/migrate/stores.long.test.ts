/** A storage with one of everything, moved between a folder, PostgreSQL and Redis. */
import { afterAll, describe, expect, inject, it } from "vitest";
import fsDriver from "../../../adapters/storage/fs/fs.ts";
import postgres from "../../../adapters/storage/postgres/postgres.ts";
import redisStore from "../../../adapters/storage/redis-store/redis-store.ts";
import s3 from "../../../adapters/storage/s3.ts";
import { type MigratedStorage, migrateStorage, repairStorage } from "../../../src/index.ts";
import { sample } from "../../support/sample.ts";
import { BUCKET, CREDENTIALS } from "../../support/servers/s3.ts";
import { contentsOf, createFolder, fillStorage, finishOn } from "../../support/storage/migrations.ts";
import { silent } from "../../support/storage/open.ts";
import { uniqueSchema } from "../../support/storage/postgres.ts";
import { uniquePrefix } from "../../support/storage/redis-stores.ts";

const { path, clean } = createFolder();
const folder = (name: string) => (): MigratedStorage => ({ entities: fsDriver({ base: path(name) }) });
const schema = uniqueSchema();
const prefix = uniquePrefix();
const STORES: Readonly<Record<string, () => MigratedStorage>> = {
  postgres: () => ({
    entities: postgres({ url: inject("postgres"), schema }),
    blobs: fsDriver({ base: path("postgres-bytes") }),
  }),
  "redis-store": () => ({ entities: redisStore({ url: inject("redis"), prefix }) }),
  "a driver on S3": () => ({
    entities: s3({ endpoint: inject("s3"), bucket: BUCKET, ...CREDENTIALS, prefix: `${prefix}/` }),
  }),
};

/** The folder is a driver: S3 differs from it only in what the contract of drivers covers. */
const SAMPLE = sample(Object.keys(STORES), ["postgres", "redis-store"]);

const filled = await fillStorage(folder("source")());
afterAll(clean);

describe("migrateStorage", () => {
  it.each(SAMPLE)("copies everything from a folder to %s and back", async (name) => {
    const between = STORES[name] ?? folder("none");
    const back = folder(`back-from-${name}`);
    const before = await contentsOf(folder("source")());
    const there = await migrateStorage({ from: folder("source")(), to: between(), logger: silent });
    expect(await contentsOf(between())).toEqual(before);
    const { documents, rows, lists, files } = there;
    expect({ documents, rows, lists }).toEqual({
      documents: before.documents.length,
      rows: before.rows.length,
      lists: Object.keys(before.lists).length,
    });
    expect(files).toBeGreaterThan(2);
    expect(await migrateStorage({ from: between(), to: back(), logger: silent })).toEqual(there);
    expect(await contentsOf(back())).toEqual(before);
    expect(await contentsOf(folder("source")())).toEqual(before);

    // The folder has its rows with its documents, so that a repair finds nothing to do.
    const driver = fsDriver({ base: path(`back-from-${name}`) });
    expect(await repairStorage({ driver, isDryRun: true, logger: silent })).toMatchObject({
      ...{ damaged: [], rebuilt: [], lost: [], orphaned: [], losses: [] },
    });
    await driver.dispose?.();
    for (const storage of [between(), back()]) {
      expect(await finishOn(storage, filled)).toEqual({ status: "succeeded", size: 3_000_000, isSame: true });
    }
  });
});

/** Migrations from a place where there is no storage: a typo must neither succeed nor create anything. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import fsDriver from "../../../adapters/storage/fs/fs.ts";
import postgres from "../../../adapters/storage/postgres/postgres.ts";
import redisDriver from "../../../adapters/storage/redis.ts";
import redisStore from "../../../adapters/storage/redis-store/redis-store.ts";
import s3 from "../../../adapters/storage/s3.ts";
import { createStepwell, type MigratedStorage, migrateStorage } from "../../../src/index.ts";
import { query } from "../../support/servers/postgres.ts";
import { startRedis } from "../../support/servers/redis.ts";
import { BUCKET, CREDENTIALS } from "../../support/servers/s3.ts";
import { createFolder } from "../../support/storage/migrations.ts";
import { silent } from "../../support/storage/open.ts";
import { uniqueSchema } from "../../support/storage/postgres.ts";
import { uniquePrefix } from "../../support/storage/redis-stores.ts";

let folder: ReturnType<typeof createFolder>;
beforeEach(() => {
  folder = createFolder();
});
afterEach(() => folder.clean());

const migrate = (from: MigratedStorage) =>
  migrateStorage({ from, to: { entities: fsDriver({ base: folder.path("target") }) }, logger: silent });
const inFolder = (name: string) => ({ entities: fsDriver({ base: folder.path(name) }) });

async function expectRefused(from: MigratedStorage, place: string): Promise<void> {
  await expect(migrate(from)).rejects.toMatchObject({
    code: "not_found",
    message: `The source does not exist: there is no storage of Stepwell in ${place}. Check the path, or the URL with its schema or prefix.`,
  });
  expect(existsSync(folder.path("target"))).toBe(false);
}

describe("migrateStorage", () => {
  it("refuses a folder that is missing", async () => {
    await expectRefused(inFolder(".stepwel"), `the folder ${folder.path(".stepwel")}`);
    expect(readdirSync(folder.folder)).toEqual([]);
  });

  it("refuses a folder of something else, even with similar names, and puts nothing there", async () => {
    mkdirSync(folder.path("project/documents"), { recursive: true });
    mkdirSync(folder.path("project/manifest"));
    mkdirSync(folder.path("project/.tmp"));
    for (const name of ["documents/a.txt", "manifest/app.json", ".tmp/kept", "100%.txt"]) {
      writeFileSync(folder.path(`project/${name}`), "");
    }
    const before = readdirSync(folder.path("project"), { recursive: true }).sort();
    await expectRefused(inFolder("project"), `the folder ${folder.path("project")}`);
    expect(readdirSync(folder.path("project"), { recursive: true }).sort()).toEqual(before);
  });

  it("refuses a file in place of a folder", async () => {
    writeFileSync(folder.path("store.db"), "");
    await expectRefused(inFolder("store.db"), `the folder ${folder.path("store.db")}`);
  });

  it("refuses a schema that is missing, and one of another program", async () => {
    const schema = uniqueSchema();
    const url = inject("postgres");
    const from = () => ({ entities: postgres({ url, schema }), blobs: fsDriver({ base: folder.path("bytes") }) });
    const schemas = `SELECT 1 FROM information_schema.schemata WHERE schema_name = '${schema}'`;
    await expectRefused(from(), `the schema "${schema}"`);
    expect(await query(url, schemas)).toEqual([]);
    await query(url, `CREATE SCHEMA "${schema}"`, `CREATE TABLE "${schema}".meta (name text)`);
    await expectRefused(from(), `the schema "${schema}"`);
    const tables = `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = '${schema}'`;
    expect(await query(url, tables)).toEqual([{ name: "meta" }]);
  });

  it("refuses a prefix in Redis without a store, and one with other data", async () => {
    const prefix = uniquePrefix();
    const url = inject("redis");
    const client = new Redis(url);
    await expectRefused({ entities: redisStore({ url, prefix }) }, `the keys that begin with "{${prefix}}:"`);
    await expectRefused({ entities: redisDriver({ url, prefix }) }, `the keys that begin with "${prefix}"`);
    expect(await client.keys(`*${prefix}*`)).toEqual([]);
    await client.set(`{${prefix}}:meta`, "of another program");
    await expectRefused({ entities: redisStore({ client, prefix }) }, `the keys that begin with "{${prefix}}:"`);
    expect(await client.keys(`*${prefix}*`)).toEqual([`{${prefix}}:meta`]);
    client.disconnect();
  });

  it("refuses a bucket without a storage below the prefix", async () => {
    const prefix = `${uniquePrefix()}/`;
    const driver = s3({ endpoint: inject("s3"), bucket: BUCKET, ...CREDENTIALS, prefix });
    await expectRefused({ entities: driver }, `the objects of the bucket "${BUCKET}" that begin with "${prefix}"`);
  });

  it("copies a storage that exists but contains nothing", async () => {
    const schema = uniqueSchema();
    const blobs = () => fsDriver({ base: folder.path("bytes") });
    const storages: readonly (() => MigratedStorage)[] = [
      () => inFolder("empty"),
      () => ({ entities: postgres({ url: inject("postgres"), schema }), blobs: blobs() }),
      () => ({ entities: redisStore({ url: inject("redis"), prefix: schema }) }),
    ];
    for (const [at, storage] of storages.entries()) {
      const { entities, blobs } = storage();
      const stepwell = createStepwell({
        storage: blobs === undefined ? { entities } : { entities, blobs },
        logger: silent,
      });
      await stepwell.ready();
      await stepwell.close();
      const to = inFolder(`target-${at}`);
      expect(await migrateStorage({ from: storage(), to, logger: silent })).toMatchObject({ files: 0 });
    }
  });

  it.each(["redis", "redis-driver"])("says why a target on %s cannot be reached", async (kind) => {
    const server = await startRedis();
    await server.close();
    const { url } = server;
    const stepwell = createStepwell({ storage: inFolder("source"), logger: silent });
    await stepwell.ready();
    await stepwell.close();
    const entities = kind === "redis" ? redisStore({ url }) : redisDriver({ url });
    await expect(migrateStorage({ from: inFolder("source"), to: { entities }, logger: silent })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining(`connect ECONNREFUSED ${new URL(url).host}`),
    });
  });

  it("refuses a Redis driver whose server evicts documents, but not one for bytes", async () => {
    const server = await startRedis(["--maxmemory-policy", "allkeys-lru"]);
    const { url } = server;
    const stepwell = createStepwell({ storage: inFolder("source"), logger: silent });
    await stepwell.apps.create({ name: "Loans" });
    await stepwell.close();
    const migrateTo = (to: MigratedStorage) => migrateStorage({ from: inFolder("source"), to, logger: silent });
    await expect(migrateTo({ entities: redisDriver({ url }) })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/maxmemory-policy is allkeys-lru.*CONFIG SET maxmemory-policy noeviction/),
    });
    expect(await migrateTo({ ...inFolder("target"), blobs: redisDriver({ url }) })).toMatchObject({ files: 0 });
    await server.close();
  });

  it("refuses a target folder with files of something else, and puts nothing there", async () => {
    const stepwell = createStepwell({ storage: inFolder("source"), logger: silent });
    await stepwell.apps.create({ name: "Loans" });
    await stepwell.close();
    mkdirSync(folder.path("target"));
    writeFileSync(folder.path("target/notes.txt"), "");
    await expect(migrate(inFolder("source"))).rejects.toMatchObject({
      code: "conflict",
      message: `The target is not empty: the folder ${folder.path("target")} contains "notes.txt". Empty it, or choose another one.`,
    });
    expect(readdirSync(folder.path("target"))).toEqual(["notes.txt"]);
  });
});

/** Every driver that the contract suites run on, Stepwell's and unstorage's, each on an empty storage of its own. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis as Ioredis6 } from "ioredis6";
import { createClient } from "redis";
import unstorageFs from "unstorage/drivers/fs";
import unstorageMemory from "unstorage/drivers/memory";
import unstorageRedis from "unstorage/drivers/redis";
import unstorageS3 from "unstorage/drivers/s3";
import { inject } from "vitest";
import fs from "../../../adapters/storage/fs/fs.ts";
import memory from "../../../adapters/storage/memory.ts";
import redis, { type RedisClient } from "../../../adapters/storage/redis.ts";
import s3 from "../../../adapters/storage/s3.ts";
import type { Driver } from "../../../src/ports/driver.ts";
import { BUCKET, CREDENTIALS } from "../servers/s3.ts";

/** A storage that keeps its items when it is opened again. */
export interface TestStorage {
  open(): Driver;
  clean(): Promise<void>;
}

export interface Kind {
  readonly name: string;
  /** Whether it is one of Stepwell's drivers, which do everything that src/ports/driver.ts describes. */
  readonly ours: boolean;
  createStorage(): Promise<TestStorage>;
}

let count = 0;
/** Separates storages on one server, including those of test files that run at the same time. */
const uniqueName = () => `t${process.pid}-${count++}`;
const nothing = async () => undefined;

async function folder(open: (base: string) => Driver): Promise<TestStorage> {
  const base = await mkdtemp(join(tmpdir(), "stepwell-test-"));
  return { open: () => open(base), clean: () => rm(base, { recursive: true, force: true }) };
}

/** unstorage's memory driver; disposing it does not empty it, so that it can be opened again. */
export function memoryStorage(): TestStorage & { readonly data: Map<string, unknown> } {
  const driver = unstorageMemory();
  const data: Map<string, unknown> = driver.getInstance?.() ?? new Map();
  return { data, open: () => ({ ...driver, dispose: () => undefined }), clean: nothing };
}

/** Clients of a caller, which the driver leaves open. The driver itself connects with ioredis 5. */
const REDIS_CLIENTS: Readonly<
  Record<string, (url: string) => Promise<{ client: RedisClient; close(): Promise<void> }>>
> = {
  async "ioredis 6"(url) {
    const client = new Ioredis6(url);
    return { client, close: async () => client.disconnect() };
  },
  async "node-redis"(url) {
    const client = await createClient({ url }).connect();
    return { client, close: () => client.close() };
  },
};

export const KINDS: readonly Kind[] = [
  {
    name: "memory",
    ours: true,
    async createStorage() {
      const driver = memory();
      return { open: () => ({ ...driver, dispose: () => undefined }), clean: nothing };
    },
  },
  { name: "memory (unstorage)", ours: false, createStorage: async () => memoryStorage() },
  { name: "fs", ours: true, createStorage: () => folder((base) => fs({ base })) },
  { name: "fs with sync", ours: true, createStorage: () => folder((base) => fs({ base, sync: true })) },
  { name: "fs (unstorage)", ours: false, createStorage: () => folder((base) => unstorageFs({ base })) },
  {
    name: "redis",
    ours: true,
    async createStorage() {
      const prefix = `${uniqueName()}:`;
      return { open: () => redis({ url: inject("redis"), prefix }), clean: nothing };
    },
  },
  {
    name: "redis (unstorage)",
    ours: false,
    async createStorage() {
      const base = uniqueName();
      return { open: () => unstorageRedis({ url: inject("redis"), base }), clean: nothing };
    },
  },
  {
    name: "s3",
    ours: true,
    async createStorage() {
      const prefix = `${uniqueName()}/`;
      return { open: () => s3({ endpoint: inject("s3"), bucket: BUCKET, ...CREDENTIALS, prefix }), clean: nothing };
    },
  },
  {
    name: "s3 (unstorage)",
    ours: false,
    async createStorage() {
      // The driver has no prefix option: a folder of its own in each key separates storages.
      const name = uniqueName();
      const driver = unstorageS3({ endpoint: inject("s3"), bucket: BUCKET, ...CREDENTIALS });
      return { open: () => withKeyPrefix(driver, name), clean: nothing };
    },
  },
];

/** The redis driver with each client of another library. */
export const CLIENT_KINDS: readonly Kind[] = Object.entries(REDIS_CLIENTS).map(([name, connect]) => ({
  name: `redis (${name})`,
  ours: true,
  async createStorage() {
    const prefix = `${uniqueName()}:`;
    const { client, close } = await connect(inject("redis"));
    return { open: () => redis({ client, prefix }), clean: close };
  },
}));

function withKeyPrefix(driver: Driver, name: string): Driver {
  const at = (key: string) => `${name}:${key}`;
  // s3rver answers 500 when two removals empty the same folder at once; Stepwell's driver would retry.
  let removing: Promise<unknown> = Promise.resolve();
  const remove = async (key: string) => driver.removeItem?.(at(key), {});
  return {
    name: driver.name ?? "",
    hasItem: (key, options) => driver.hasItem(at(key), options),
    getItem: (key, options) => driver.getItem(at(key), options),
    getItemRaw: (key, options) => driver.getItemRaw?.(at(key), options),
    setItem: (key, value, options) => driver.setItem?.(at(key), value, options),
    setItemRaw: (key, value, options) => driver.setItemRaw?.(at(key), value, options),
    async removeItem(key) {
      removing = removing.then(
        () => remove(key),
        () => remove(key),
      );
      await removing;
    },
    getKeys: () => [],
  };
}

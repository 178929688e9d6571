/** Opens a storage as it is typed: a folder, or the URL of a store. */
import { resolve } from "node:path";
import type { MigratedStorage } from "../../../src/index.ts";
import fsDriver from "../../storage/fs/fs.ts";
import postgres from "../../storage/postgres/postgres.ts";
import redisDriver from "../../storage/redis.ts";
import redisStore from "../../storage/redis-store/redis-store.ts";
import sqlite from "../../storage/sqlite/sqlite.ts";
import { refused, wrongUse } from "../terminal/failure.ts";

/** What can be typed. */
export const LOCATIONS =
  "a folder, sqlite:FILE, postgres://…, redis://… (the Redis store), redis-driver:redis://… (the driver), or config (stepwell.config)";

const FORM = /^(sqlite|postgres|postgresql|redis|rediss|redis-driver):/;
const HAS_SCHEME = /^[a-z][a-z0-9+.-]+:/i;

/**
 * The schema or the prefix stands behind a number sign: `postgres://127.0.0.1/database#schema`.
 * @throws CommandError for what is no location
 */
export async function openLocation(typed: string, folder: string, option: string): Promise<MigratedStorage> {
  if (typed === "config") return storageOfConfig(folder);
  const form = FORM.exec(typed)?.[1];
  if (form === undefined && HAS_SCHEME.test(typed)) {
    const hint = `Pass ${LOCATIONS}. For any other driver, call migrateStorage() of the package.`;
    throw wrongUse(`${option} ${typed} is no storage that this command knows.`, hint);
  }
  try {
    return open(form, typed, folder);
  } catch (error) {
    throw wrongUse(`${option}: ${error instanceof Error ? error.message : String(error)}`, `Pass ${LOCATIONS}.`);
  }
}

function open(form: string | undefined, typed: string, folder: string): MigratedStorage {
  const [url = "", name] = typed.split("#", 2);
  switch (form) {
    case undefined:
      return { entities: fsDriver({ base: resolve(folder, typed) }) };
    case "sqlite":
      return { entities: sqlite({ file: resolve(folder, typed.slice("sqlite:".length)) }) };
    case "postgres":
    case "postgresql":
      return { entities: postgres({ url, schema: name }) };
    case "redis-driver": {
      const driverUrl = url.slice("redis-driver:".length);
      return { entities: redisDriver(name === undefined ? { url: driverUrl } : { url: driverUrl, prefix: name }) };
    }
    default:
      return { entities: redisStore(name === undefined ? { url } : { url, prefix: name }) };
  }
}

async function storageOfConfig(folder: string): Promise<MigratedStorage> {
  const { loadConfig } = await import("../dev/load-config.ts");
  const { options, file } = await loadConfig(folder);
  const { entities, blobs } = options.storage ?? {};
  if (entities !== undefined) return { entities, blobs };
  throw refused(`${file ?? "stepwell.config"} has no storage.entities.`, "Pass the storage itself, such as .stepwell.");
}

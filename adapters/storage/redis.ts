/** A driver for Redis with binary values, batched reads and atomic creation. Requires `ioredis`, or a client. */
import { defineDriver } from "unstorage";
import { alreadyExists, type ExtendedDriver, fenced, type WriteOptions } from "../../src/ports/driver.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { createCauses, isRedisUrl, loadIoredis } from "./load-ioredis.ts";
import { type DriverOwner, withOwners } from "./owned.ts";
import { commandsOf, type RedisArgument, type RedisClient, type RedisCommands } from "./redis-client.ts";
import { limitHandshake } from "./redis-handshake.ts";
import { isRefusal } from "./redis-store/redis-errors.ts";
import { checkEviction } from "./redis-store/server-requirements.ts";

export type { IoredisClient, NodeRedisClient, RedisArgument, RedisClient } from "./redis-client.ts";

/** Options of the Redis driver. */
export interface RedisDriverOptions {
  /** URL of the server: `redis://user:password@host:6379/0`. Required unless `client` is set. */
  readonly url?: string;
  /**
   * An existing client of `ioredis` 5 or 6, or a connected one of `redis` (node-redis) 5 or 6, which may be shared. It
   * stays open when the driver is disposed of.
   */
  readonly client?: RedisClient;
  /**
   * Prefix of all keys. Separates services that share a database.
   * @default "stepwell:"
   */
  readonly prefix?: string;
}

interface Connection {
  readonly commands: RedisCommands;
  close(): void;
}

/** Key of the generation, after the prefix. It differs from all items' keys, which contain a colon. */
const GENERATION = "generation";
const VERIFY_INTERVAL_MS = 1_000;

/** Compares the generation and writes atomically, because Redis executes scripts one at a time. */
const ownedScript = (write: string) =>
  `if redis.call("GET", KEYS[1]) ~= ARGV[1] then return "fenced" end return ${write}`;
const SET = ownedScript('redis.call("SET", KEYS[2], ARGV[2])');
const CREATE = ownedScript('redis.call("SET", KEYS[2], ARGV[2], "NX")');
const REMOVE = ownedScript('redis.call("UNLINK", KEYS[2])');
const TAKE_OVER = `
  local generation = math.max(tonumber(redis.call("GET", KEYS[1])) or 0, tonumber(ARGV[1])) + 1
  redis.call("SET", KEYS[1], string.format("%d", generation))
  return generation`;

/** Number of keys per step of a scan. */
const SCAN_COUNT = 1_000;

/**
 * As `storage.entities`, it refuses a server that may evict keys, if the server tells: set `maxmemory-policy noeviction`. As
 * `storage.blobs`, it doesn't look, and such a server loses files.
 *
 * @example
 * ```ts
 * createStepwell({ storage: { entities: redisDriver({ url: "redis://127.0.0.1:6379" }) } });
 * ```
 */
const redisDriver: (options: RedisDriverOptions) => ExtendedDriver = defineDriver((options: RedisDriverOptions) => {
  const { url, client, prefix = "stepwell:", ...unknown } = options ?? {};
  const [name] = Object.keys(unknown);
  if (name !== undefined) {
    throw new TypeError(`The redis driver has no option "${name}". It has url, client and prefix.`);
  }
  if (client === undefined && !isRedisUrl(url)) {
    throw new TypeError('The redis driver needs a url or a client: redisDriver({ url: "redis://127.0.0.1:6379" }).');
  }
  const given = client === undefined ? null : commandsOf(client);
  let connecting: Promise<Connection> | null = null;

  async function commands(): Promise<RedisCommands> {
    if (given !== null) return given;
    connecting ??= connect(url ?? "").catch((error) => {
      connecting = null;
      throw error;
    });
    return (await connecting).commands;
  }

  const prefixed = (key: string) => `${prefix}${key}`;
  const callWith = async (command: string, args: readonly RedisArgument[]) => (await commands()).text(command, args);
  const call = (command: string, ...args: RedisArgument[]) => callWith(command, args);
  const callForBytes = async (command: string, ...args: RedisArgument[]) => {
    const answer = await (await commands()).bytes(command, args);
    return answer instanceof Uint8Array ? answer : null;
  };

  async function keysIn(base: string): Promise<string[]> {
    const pattern = `${prefixed(base).replace(/[*?[\]\\]/g, "\\$&")}*`;
    const keys = new Set<string>();
    let cursor = "0";
    do {
      const answer = await call("SCAN", cursor, "MATCH", pattern, "COUNT", SCAN_COUNT);
      const [next, found]: unknown[] = Array.isArray(answer) ? answer : [];
      cursor = String(next ?? "0");
      for (const key of Array.isArray(found) ? found : []) keys.add(String(key).slice(prefix.length));
    } while (cursor !== "0");
    keys.delete(GENERATION);
    return [...keys];
  }

  const bufferOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

  function ownerOf(generation: number): DriverOwner {
    async function write(script: string, key: string, ...value: (string | Buffer)[]): Promise<unknown> {
      const answer = await call("EVAL", script, 2, prefixed(GENERATION), prefixed(key), generation, ...value);
      if (answer === "fenced") throw fenced();
      return answer;
    }

    async function set(key: string, value: string | Buffer, { exclusive = false }: WriteOptions = {}): Promise<void> {
      if ((await write(exclusive ? CREATE : SET, key, value)) === null) throw alreadyExists(key);
    }

    return {
      generation,
      verifyIntervalMs: VERIFY_INTERVAL_MS,
      async verify() {
        if ((await call("GET", prefixed(GENERATION))) !== String(generation)) throw fenced();
      },
      setItem: set,
      setItemRaw: (key, value: Uint8Array) => set(key, bufferOf(value)),
      async removeItem(key) {
        await write(REMOVE, key);
      },
    };
  }

  const driver: ExtendedDriver = {
    name: "stepwell-redis",
    place: `the keys that begin with "${prefix}"`,
    copiesBytes: true,

    hasItem: async (key) => (await call("EXISTS", prefixed(key))) === 1,

    async getItem(key) {
      const answer = await call("GET", prefixed(key));
      return typeof answer === "string" ? answer : null;
    },

    async getItems(items) {
      if (items.length === 0) return [];
      const answer = await callWith(
        "MGET",
        items.map(({ key }) => prefixed(key)),
      );
      const values: unknown[] = Array.isArray(answer) ? answer : [];
      return items.map(({ key }, index) => {
        const value = values[index];
        return { key, value: typeof value === "string" ? value : null };
      });
    },

    getItemRaw: (key) => callForBytes("GET", prefixed(key)),

    async getItemRange(key, start, end) {
      const bytes = await callForBytes("GETRANGE", prefixed(key), start, end - 1);
      return bytes === null || bytes.length === 0 ? null : bytes;
    },

    async setItem(key, value, { exclusive = false }: WriteOptions = {}) {
      const answer = await call("SET", prefixed(key), value, ...(exclusive ? ["NX"] : []));
      if (answer === null) throw alreadyExists(key);
    },

    async setItemRaw(key, value: Uint8Array) {
      await call("SET", prefixed(key), bufferOf(value));
    },

    async removeItem(key) {
      await call("UNLINK", prefixed(key));
    },

    getKeys: keysIn,

    async clear(base) {
      for (const key of await keysIn(base)) await call("UNLINK", prefixed(key));
    },

    async dispose() {
      const connection = await connecting?.catch(() => null);
      connecting = null;
      connection?.close();
    },
  };

  return withOwners(driver, async (_, after) => {
    checkEviction(await infoOf(await commands()));
    const generation = await call("EVAL", TAKE_OVER, 1, prefixed(GENERATION), after);
    if (typeof generation !== "number") throw new Error("Redis did not return a generation number for this storage.");
    return ownerOf(generation);
  });
});

export default redisDriver;

/** Empty if the user of the connection may not ask for it. */
async function infoOf(commands: RedisCommands): Promise<string> {
  try {
    return String(await commands.text("INFO", []));
  } catch (error) {
    if (isRefusal(error)) return "";
    throw error;
  }
}

async function connect(url: string): Promise<Connection> {
  const { Redis } = await loadIoredis("The redis driver");
  const client = new Redis(url);
  const cause = createCauses(client);
  limitHandshake(client, systemClock);
  const { text, bytes } = commandsOf(client);
  return {
    commands: {
      text: (command, args) => text(command, args).catch(cause),
      bytes: (command, args) => bytes(command, args).catch(cause),
    },
    close: () => client.disconnect(),
  };
}

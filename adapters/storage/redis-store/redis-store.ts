/** A store directly on Redis. Requires `ioredis`, or a client. */
import type { StoreAdapter } from "../../../src/ports/store-adapter.ts";
import { isRedisUrl } from "../load-ioredis.ts";
import redisDriver from "../redis.ts";
import { commandsOf, type RedisClient } from "../redis-client.ts";
import { hasDatabaseNumber, passwordOf } from "../redis-url.ts";
import { createConnection } from "./connection.ts";
import { EXISTS } from "./opening-scripts.ts";
import { createErrors } from "./redis-errors.ts";
import { createRedisStore } from "./store.ts";

export type { IoredisClient, NodeRedisClient, RedisArgument, RedisClient } from "../redis-client.ts";

/** Options of the Redis store. */
export interface RedisStoreOptions {
  /** URL of the server: `redis://user:password@host:6379/0`. Required unless `client` is set. */
  readonly url?: string;
  /**
   * An existing client of `ioredis` 5 or 6, or a connected one of `redis` (node-redis) 5 or 6, which may be shared. It
   * stays open when the store is closed.
   */
  readonly client?: RedisClient;
  /**
   * Separates services that share a database: all keys begin with `{prefix}:`, so that a Redis Cluster keeps them
   * together.
   * @default "stepwell"
   */
  readonly prefix?: string;
}

/**
 * Stores documents and lists as keys of Redis, changed by scripts. Memory in this process doesn't grow with the data. The
 * bytes of files are stored in Redis, too; set `storage.blobs` if files are large or many, because Redis keeps them in
 * memory.
 *
 * Needs Redis 6.2 or later, or Valkey, with `maxmemory-policy noeviction`. What survives a failure of Redis depends on its
 * settings: set `appendonly yes`. Only one process can use a store at a time, unless the option `cluster` is set:
 * then any number of processes can, but none without it. The store of a process that was killed is free after 10 seconds.
 *
 * @throws TypeError for invalid options
 * @example
 * ```ts
 * createStepwell({ storage: { entities: redisStore({ url: "redis://127.0.0.1:6379" }) } });
 * ```
 */
export default function redisStore(options: RedisStoreOptions): StoreAdapter {
  if (typeof options !== "object" || options === null) throw new TypeError(EITHER);
  const { url, client, prefix = "stepwell", ...unknown } = options;
  const [name] = Object.keys(unknown);
  if (name !== undefined) {
    throw new TypeError(`The redis store has no option "${name}". It has url, client and prefix.`);
  }
  if (typeof prefix !== "string" || !/^[^{}]+$/.test(prefix)) {
    throw new TypeError('The prefix of the redis store must be text without braces, such as "stepwell".');
  }
  const tag = `{${prefix}}:`;
  if (client !== undefined) commandsOf(client, "redis store");
  else if (!isRedisUrl(url)) throw new TypeError(EITHER);
  if (client !== undefined && url !== undefined) throw new TypeError(`${EITHER} Not both.`);
  if (url !== undefined && !hasDatabaseNumber(url)) {
    throw new TypeError("The path of the url of the redis store must be the number of a database, such as /0.");
  }
  const given = client === undefined ? { url: url ?? "" } : { client };

  return {
    name: "redis-store",
    canBeShared: true,
    place: `the keys that begin with "${tag}"`,
    // On a connection of its own, so that large values don't delay commits.
    blobs: redisDriver({ ...given, prefix: `${tag}bytes:` }),
    async exists() {
      const connection = createConnection(given, `${tag}meta`);
      try {
        await connection.info();
        return (await connection.run(EXISTS, [])) === 1;
      } catch (error) {
        throw createErrors(passwordOf(url)).failed("looking for the store", error);
      } finally {
        connection.close();
      }
    },
    createStore(ports) {
      const connection = createConnection(given, `${tag}meta`, ports.clock);
      return createRedisStore({ ...ports, connection, errors: createErrors(passwordOf(url)) });
    },
  };
}

const EITHER = 'The redis store needs a url or a client: redisStore({ url: "redis://127.0.0.1:6379" }).';

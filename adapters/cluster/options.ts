/** The options of `bullmq()`, and what they must be. */
import type { Cluster, Redis, RedisOptions } from "ioredis";
import { isRecord, omitUndefined } from "../../src/json.ts";
import { didYouMean } from "../../src/messages/closest-name.ts";
import { isRedisUrl } from "../storage/load-ioredis.ts";
import { hasDatabaseNumber, passwordOf } from "../storage/redis-url.ts";

/** A client or a Cluster of `ioredis` 5 or 6. */
export interface RedisSource {
  /** State of the connection, such as `ready`. */
  readonly status: string;
  /** Opens another connection with the same settings. */
  duplicate(...overrides: never[]): unknown;
}

/** Options of a client of `ioredis`, as BullMQ takes them. */
export interface RedisConnectionOptions {
  /** URL, in place of host and port. */
  readonly url?: string | undefined;
  /** Host of the server. @default "127.0.0.1" */
  readonly host?: string | undefined;
  /** Port of the server. @default 6379 */
  readonly port?: number | undefined;
  /** User of Redis' access control lists. */
  readonly username?: string | undefined;
  /** Password of the user, or of the server. */
  readonly password?: string | undefined;
  /** Number of the database. @default 0 */
  readonly db?: number | undefined;
  /** Any other option of `ioredis`, such as `tls`. */
  readonly [option: string]: unknown;
}

/** Options of `bullmq()`. */
export interface BullmqOptions {
  /**
   * URL of Redis, such as `redis://user:password@host:6379/0`; options of a client of `ioredis`; or an existing client or
   * Cluster of `ioredis`. Of a client only the settings are used: it stays as it is, and Stepwell opens two to four
   * connections of its own.
   */
  readonly connection: string | RedisConnectionOptions | RedisSource;
  /** Whether this process executes runs. If not, it only serves requests. @default true */
  readonly work?: boolean | undefined;
  /** Maximum number of runs that this process executes at the same time, from 1 to 10,000. @default `limits.concurrentRuns` */
  readonly concurrency?: number | undefined;
  /**
   * Separates services that share a Redis: all keys begin with `{prefix}:`, so that a Redis Cluster keeps them together.
   * @default "stepwell"
   */
  readonly prefix?: string | undefined;
}

/** Where connections come from. */
export type ConnectionSource =
  | { readonly client: Redis | Cluster }
  | { readonly url: string | undefined; readonly options: RedisOptions };

export interface CheckedOptions {
  readonly source: ConnectionSource;
  /** Password that messages must not contain. */
  readonly secret: string | null;
  readonly work: boolean;
  readonly concurrency: number | undefined;
  readonly prefix: string;
}

/** More runs at once than memory and files of one process allow. */
const MOST_RUNS = 10_000;

const NAMES = ["connection", "work", "concurrency", "prefix"];
/** What addresses and secures a connection. `ioredis` has more options, and ignores those that it does not know. */
const OPTIONS = [
  "url",
  "host",
  "port",
  "path",
  "username",
  "password",
  "db",
  "tls",
  "family",
  "sentinels",
  "name",
  "role",
];
const CONNECTION =
  'bullmq() needs a connection: bullmq({ connection: "redis://127.0.0.1:6379" }), options such as { host, port }, or a client of "ioredis".';
const KEY_PREFIX =
  "The connection of bullmq() has the option keyPrefix, which BullMQ does not support. Use the option prefix of bullmq() instead.";

/** @throws TypeError that says what is wrong and what would be right */
export function checkOptions(given: BullmqOptions): CheckedOptions {
  if (!isRecord(given)) throw new TypeError(CONNECTION);
  const { connection, work = true, concurrency, prefix = "stepwell", ...unknown } = given;
  const [name] = Object.keys(unknown);
  if (name !== undefined) {
    const meant = didYouMean(name, NAMES);
    throw new TypeError(`bullmq() has no option "${name}". It has connection, work, concurrency and prefix.${meant}`);
  }
  if (typeof work !== "boolean") throw new TypeError("The option work of bullmq() must be true or false.");
  if (
    concurrency !== undefined &&
    !(Number.isSafeInteger(concurrency) && concurrency > 0 && concurrency <= MOST_RUNS)
  ) {
    throw new TypeError(`The option concurrency of bullmq() must be an integer from 1 to ${MOST_RUNS}, such as 50.`);
  }
  if (typeof prefix !== "string" || !/^[^{}]+$/.test(prefix)) {
    throw new TypeError('The option prefix of bullmq() must be text without braces, such as "stepwell".');
  }
  return { ...checkConnection(connection), work, concurrency, prefix };
}

function checkConnection(connection: unknown): Pick<CheckedOptions, "source" | "secret"> {
  if (typeof connection === "string") {
    return { source: { url: checkUrl(connection), options: {} }, secret: passwordOf(connection) };
  }
  if (isIoredis(connection)) {
    const { options } = connection;
    const { keyPrefix, password } = connection.isCluster ? sharedOptionsOf(connection) : readOptions(options);
    if (keyPrefix) throw new TypeError(KEY_PREFIX);
    return { source: { client: connection }, secret: password };
  }
  if (!isPlain(connection)) throw new TypeError(CONNECTION);
  const { url, host, port, ...others } = connection;
  if (url !== undefined && typeof url !== "string") throw new TypeError(CONNECTION);
  if (host !== undefined && typeof host !== "string") {
    throw new TypeError('The host in the connection of bullmq() must be text, such as "127.0.0.1".');
  }
  if (port !== undefined && !(typeof port === "number" && Number.isInteger(port) && port > 0 && port < 65_536)) {
    throw new TypeError("The port in the connection of bullmq() must be an integer from 1 to 65535, such as 6379.");
  }
  if (others["keyPrefix"]) throw new TypeError(KEY_PREFIX);
  for (const name of Object.keys(others)) {
    const meant = OPTIONS.includes(name) ? "" : didYouMean(name, OPTIONS);
    if (meant !== "") throw new TypeError(`The connection of bullmq() has no option "${name}".${meant}`);
  }
  const { db } = others;
  if (db !== undefined && !(typeof db === "number" && Number.isInteger(db) && db >= 0)) {
    throw new TypeError("The db in the connection of bullmq() must be the number of a database, such as 0.");
  }
  const options: RedisOptions = { ...others, ...omitUndefined({ host, port }) };
  const secret = readOptions(others).password ?? passwordOf(url);
  return { source: { url: url === undefined ? undefined : checkUrl(url), options }, secret };
}

function checkUrl(url: string): string {
  if (!isRedisUrl(url)) throw new TypeError(CONNECTION);
  if (!hasAddress(url)) {
    throw new TypeError("The URL in the connection of bullmq() must have a host, and a port from 1 to 65535.");
  }
  if (!hasDatabaseNumber(url)) {
    throw new TypeError(
      "The path of the URL in the connection of bullmq() must be the number of a database, such as /0.",
    );
  }
  return url;
}

/** URLs of sockets have a path in place of host and port. `ioredis` ignores a URL that it cannot read. */
function hasAddress(url: string): boolean {
  if (!/^rediss?:/.test(url)) return true;
  if (!URL.canParse(url)) return false;
  const { hostname, port } = new URL(url);
  return hostname !== "" && port !== "0";
}

/** Structurally, because the client may come from another version of the package. Clients of `redis` have no `status`. */
function isIoredis(value: unknown): value is Redis | Cluster {
  return (
    isRecord(value) &&
    typeof value["status"] === "string" &&
    typeof value["duplicate"] === "function" &&
    typeof value["defineCommand"] === "function"
  );
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value));
}

function sharedOptionsOf(cluster: Redis | Cluster): ReturnType<typeof readOptions> {
  const { options } = cluster;
  const own = readOptions(options);
  const shared = readOptions("redisOptions" in options ? options.redisOptions : undefined);
  return { keyPrefix: own.keyPrefix || shared.keyPrefix, password: shared.password };
}

function readOptions(options: unknown): { readonly keyPrefix: boolean; readonly password: string | null } {
  const { keyPrefix, password } = isRecord(options) ? options : {};
  return {
    keyPrefix: keyPrefix !== undefined && keyPrefix !== null && keyPrefix !== "",
    password: typeof password === "string" ? password : null,
  };
}

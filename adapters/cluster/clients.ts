/** The connections to Redis: opened with the settings of the user, for different purposes, and closed together. */
import type { Cluster, Redis, RedisOptions } from "ioredis";
import type { Clock } from "../../src/ports/clock.ts";
import { loadIoredis } from "../storage/load-ioredis.ts";
import { limitHandshake } from "../storage/redis-handshake.ts";
import type { ConnectionLog } from "./connection-log.ts";
import type { ConnectionSource } from "./options.ts";

export type Client = Redis | Cluster;

/** Pauses between attempts to connect, in milliseconds. */
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 1_000;
/** Milliseconds until a connection that is being closed is cut, if Redis does not close it. */
const DISCONNECT_TIMEOUT_MS = 500;

const shared = (connectTimeout: number) =>
  ({
    connectTimeout,
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
    lazyConnect: false,
    enableOfflineQueue: true,
    retryStrategy: (attempt) => Math.min(attempt * FIRST_RETRY_MS, LAST_RETRY_MS),
  }) satisfies RedisOptions;

/** Commands wait for the connection. For what there is a limited number of. */
export const waiting = (connectTimeout: number): RedisOptions => ({
  ...shared(connectTimeout),
  maxRetriesPerRequest: null,
});

/** Each lost connection, and each attempt that fails, rejects the commands, so that they don't pile up. */
export const impatient = (connectTimeout: number): RedisOptions => ({
  ...shared(connectTimeout),
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
});

export interface Clients {
  /** Opens a connection, and notes each that is duplicated from it. */
  open(settings: RedisOptions): Client;
  /** Closes all without waiting. */
  close(): void;
}

/**
 * Loads `ioredis` unless there is a client.
 * @param parts.timeoutMs Milliseconds within which a new connection must answer.
 */
export async function createClients(parts: {
  source: ConnectionSource;
  log: ConnectionLog;
  clock: Clock;
  timeoutMs: number;
}): Promise<Clients> {
  const { source, log, clock, timeoutMs } = parts;
  const opened = new Set<Client>();
  const create = await creatorOf(source);
  let isClosed = false;

  function note<T extends Client>(client: T): T {
    opened.add(client);
    log.watch(client);
    if (!isCluster(client)) limitHandshake(client, clock, timeoutMs);
    if (isClosed) client.disconnect();
    return client;
  }

  return {
    open(settings) {
      const client = note(create(settings));
      // BullMQ duplicates it for what blocks, and would leave that open if Redis does not respond when it closes.
      if (isCluster(client)) {
        const duplicate = client.duplicate.bind(client);
        client.duplicate = (...overrides) => note(duplicate(...overrides));
      } else {
        const duplicate = client.duplicate.bind(client);
        client.duplicate = (...overrides) => note(duplicate(...overrides));
      }
      return client;
    },
    close() {
      isClosed = true;
      for (const client of opened) client.disconnect();
    },
  };
}

async function creatorOf(source: ConnectionSource): Promise<(settings: RedisOptions) => Client> {
  if ("client" in source) {
    const { client } = source;
    if (!isCluster(client)) return (settings) => client.duplicate(settings);
    return ({ lazyConnect, ...settings }) =>
      client.duplicate(undefined, { lazyConnect, redisOptions: { ...client.options.redisOptions, ...settings } });
  }
  const { Redis } = await loadIoredis("The connection bullmq()");
  const { url, options } = source;
  return (settings) =>
    url === undefined ? new Redis({ ...options, ...settings }) : new Redis(url, { ...options, ...settings });
}

function isCluster(client: Client): client is Cluster {
  return client.isCluster;
}

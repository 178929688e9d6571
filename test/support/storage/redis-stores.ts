/** Stores on a real Redis, with each client library. */
import { Redis } from "ioredis";
import { Redis as Ioredis6 } from "ioredis6";
import { createClient } from "redis";
import type { RedisClient } from "../../../adapters/storage/redis.ts";
import { createConnection } from "../../../adapters/storage/redis-store/connection.ts";
import { createErrors } from "../../../adapters/storage/redis-store/redis-errors.ts";
import { createRedisStore } from "../../../adapters/storage/redis-store/store.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import type { Logger } from "../../../src/ports/logger.ts";
import type { Store } from "../../../src/ports/store.ts";
import { systemClock } from "../../../src/time/system-clock.ts";
import { silent } from "./open.ts";
import type { StoreFixture } from "./store-contract.ts";

let count = 0;
export const uniquePrefix = () => `s${process.pid}-${count++}`;

/** Nothing may reach a time limit, or lose a lease, because the machine is busy. */
const PATIENCE_MS = 1_000_000;

export interface OpenOptions {
  readonly prefix: string;
  readonly logger?: Logger;
  /** @default what no test reaches */
  readonly timeoutMs?: number;
  /** @default what no test reaches */
  readonly leaseMs?: number;
  readonly clock?: Clock;
  /** Whether others may open it at the same time. */
  readonly isShared?: boolean;
}

/** @param target A URL, or a client. */
export function openRedisStore(target: string | RedisClient, options: OpenOptions): Store {
  const {
    prefix,
    logger = silent,
    clock = systemClock,
    timeoutMs = PATIENCE_MS,
    leaseMs = PATIENCE_MS,
    isShared,
  } = options;
  const given = typeof target === "string" ? { url: target } : { client: target };
  const connection = createConnection(given, `{${prefix}}:meta`, clock);
  return createRedisStore({ connection, errors: createErrors(null), clock, logger, timeoutMs, leaseMs, isShared });
}

interface ClientKind {
  readonly name: string;
  connect(url: string): Promise<{ readonly client: RedisClient | null; close(): Promise<void> }>;
}

export const CLIENTS: readonly ClientKind[] = [
  { name: "its own ioredis", connect: async () => ({ client: null, close: async () => undefined }) },
  {
    name: "ioredis 5",
    async connect(url) {
      const client = new Redis(url);
      return { client, close: async () => client.disconnect() };
    },
  },
  {
    name: "ioredis 6",
    async connect(url) {
      const client = new Ioredis6(url);
      return { client, close: async () => client.disconnect() };
    },
  },
  {
    name: "node-redis",
    async connect(url) {
      const client = await createClient({ url }).connect();
      return { client, close: () => client.close() };
    },
  },
];

export async function redisFixture(url: string, kind: ClientKind, isShared = false): Promise<StoreFixture> {
  const prefix = uniquePrefix();
  const { client, close } = await kind.connect(url);
  return { open: () => openRedisStore(client ?? url, { prefix, isShared }), clean: close };
}

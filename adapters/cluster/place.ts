/** Which Redis, and as whom: for messages. */
import type { Cluster, Redis, RedisOptions } from "ioredis";

export interface Place {
  /** Host and port, or the path of a Unix socket. Without credentials. */
  readonly address: string;
  readonly user: string;
  readonly database: number;
  readonly prefix: string;
}

export function placeOf(client: Redis | Cluster, prefix: string): Place {
  const options = optionsOf(client);
  return {
    address: addressOf(client, options),
    user: options.username || "default",
    database: client.isCluster ? 0 : (options.db ?? 0),
    prefix,
  };
}

function optionsOf(client: Redis | Cluster): RedisOptions {
  return isCluster(client) ? (client.options.redisOptions ?? {}) : client.options;
}

function addressOf(client: Redis | Cluster, { path, host, port, sentinels }: RedisOptions): string {
  if (isCluster(client)) {
    const nodes = client.nodes().map(({ options }) => `${options.host}:${options.port}`);
    return nodes.length === 0 ? "the nodes of the Redis Cluster" : nodes.join(", ");
  }
  if (sentinels) return sentinels.map((one) => `${one.host}:${one.port}`).join(", ");
  return path ?? `${host}:${port}`;
}

function isCluster(client: Redis | Cluster): client is Cluster {
  return client.isCluster;
}

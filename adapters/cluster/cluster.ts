/** Connects the processes of a service with BullMQ on Redis. Requires `bullmq` and `ioredis`. */
import { hostname } from "node:os";
import type { ClusterAdapter } from "../../src/ports/cluster.ts";
import { createConnection } from "./connection.ts";
import { type BullmqOptions, checkOptions } from "./options.ts";
import { TIMING } from "./timing.ts";

export type { BullmqOptions, RedisConnectionOptions, RedisSource } from "./options.ts";

/**
 * Distributes runs over processes with BullMQ 6 on Redis 6.2 or later, or Valkey. The store stays the only record of runs:
 * if Redis loses its data, the jobs are added again.
 *
 * A process opens two connections to Redis, or four if it works. Jobs of a process that was killed are given to another one
 * after 20 seconds at most.
 *
 * @throws TypeError for invalid options
 * @example
 * ```ts
 * createStepwell({
 *   storage: { entities: postgres({ url }) },
 *   cluster: bullmq({ connection: "redis://127.0.0.1:6379" }),
 * });
 * ```
 */
export function bullmq(options: BullmqOptions): ClusterAdapter {
  const checked = checkOptions(options);
  const { work, concurrency } = checked;
  return {
    name: "bullmq",
    processName: `${hostname()}:${process.pid}`,
    work,
    concurrency,
    connect: (ports) => createConnection(checked, ports, TIMING),
  };
}

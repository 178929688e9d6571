/**
 * A process of a cluster, which tests kill, stop and continue. Each step calls a server that counts:
 * `member.ts STORE REDIS PREFIX COUNTER WORK CONCURRENCY`. SIGTERM closes it.
 */
import * as v from "valibot";
import { bullmq } from "../../../adapters/cluster/cluster.ts";
import postgres from "../../../adapters/storage/postgres/postgres.ts";
import redisDriver from "../../../adapters/storage/redis.ts";
import redisStore from "../../../adapters/storage/redis-store/redis-store.ts";
import { createStepwell, defineService, type Stepwell } from "../../../src/index.ts";

export interface MemberOptions {
  /** URL of PostgreSQL or Redis. */
  readonly store: string;
  readonly redis: string;
  /** Separates clusters that share servers. */
  readonly prefix: string;
  /** URL of the server that counts the calls of steps. */
  readonly counter: string;
  readonly work: boolean;
  readonly concurrency: number;
}

export function openMember({ store, redis, prefix, counter, work, concurrency }: MemberOptions): Stepwell {
  const entities = store.startsWith("redis:")
    ? redisStore({ url: store, prefix })
    : postgres({ url: store, schema: prefix });
  const counting = defineService({
    name: "counter",
    actions: {
      call: {
        input: v.object({ step: v.number(), waits: v.optional(v.number(), 0) }),
        output: v.number(),
        async run({ step, waits }, { run_id, signal }) {
          await fetch(`${counter}/${run_id}/${step}`, { method: "POST", signal });
          if (waits > 0) await new Promise((resolve) => setTimeout(resolve, waits));
          return step;
        },
      },
    },
  });
  return createStepwell({
    storage: { entities, blobs: redisDriver({ url: redis, prefix: `${prefix}:blobs:` }) },
    cluster: bullmq({ connection: redis, prefix, work, concurrency }),
    services: [counting],
  }) as Stepwell;
}

const [store, redis, prefix, counter, work, concurrency] = process.argv.slice(2);
if (store !== undefined && import.meta.filename === process.argv[1]) {
  const stepwell = openMember({
    ...{ store, redis: redis ?? "", prefix: prefix ?? "", counter: counter ?? "" },
    ...{ work: work === "true", concurrency: Number(concurrency) },
  });
  process.on("SIGTERM", () => void stepwell.close().then(() => process.exit(0)));
  await stepwell.ready();
  console.log("ready");
}

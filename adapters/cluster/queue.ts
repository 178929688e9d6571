/** Adds jobs to the queue, within a time limit. */
import type { Queue } from "bullmq";
import { StepwellError } from "../../src/errors.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Job } from "../../src/ports/cluster.ts";
import type { RedisErrors } from "../storage/redis-store/redis-errors.ts";
import type { Client } from "./clients.ts";
import type { ConnectionLog } from "./connection-log.ts";
import { keyPrefix, QUEUE_NAME, toBulkJob } from "./job-data.ts";
import type { Bullmq } from "./load-bullmq.ts";
import type { ServerCheck } from "./server-check.ts";
import { isDoneWithin } from "./time-limit.ts";

/** Redis executes a script for each job. Each batch has the time limit. */
const BATCH_SIZE = 500;
const ADD = "add jobs";

export interface QueueParts {
  readonly bullmq: Bullmq;
  readonly client: Client;
  readonly prefix: string;
  readonly clock: Clock;
  readonly errors: RedisErrors;
  readonly log: ConnectionLog;
  readonly check: ServerCheck;
  readonly timeoutMs: number;
}

export interface JobQueue {
  /** @throws StepwellError `unavailable` if Redis does not respond in time */
  add(jobs: readonly Job[]): Promise<void>;
  /** Waits for what is being added. */
  close(): Promise<void>;
}

export function createJobQueue({ bullmq, client, prefix, clock, errors, log, check, timeoutMs }: QueueParts): JobQueue {
  /** Created late, because it writes at once, also to a database that nobody has chosen. */
  let queue: Queue | null = null;

  function create(): Queue {
    const created = new bullmq.Queue(QUEUE_NAME, {
      connection: client,
      prefix: keyPrefix(prefix),
      // BullMQ would let all calls wait for the first connection, without a limit.
      skipWaitingForReady: true,
      skipVersionCheck: true,
    });
    created.on("error", log.report);
    return created;
  }

  async function addChecked(jobs: readonly ReturnType<typeof toBulkJob>[]): Promise<void> {
    await check.pass();
    queue ??= create();
    await queue.addBulk([...jobs]);
  }

  async function addBatch(jobs: readonly ReturnType<typeof toBulkJob>[]): Promise<void> {
    const isDone = await isDoneWithin(clock, timeoutMs, addChecked(jobs)).catch((error) => {
      throw errors.failed(ADD, log.causeOf(error), log.place().address);
    });
    if (isDone) return;
    // Rejects what else waits for an answer on this connection, so that memory does not grow.
    if (client.status === "ready" || client.status === "connect") client.disconnect(true);
    throw errors.late(ADD, timeoutMs, null);
  }

  return {
    async add(jobs) {
      const bulk = jobs.map(toBulkJob);
      for (let start = 0; start < bulk.length; start += BATCH_SIZE) {
        if (client.status === "end") throw new StepwellError("unavailable", "The connection of the cluster is closed.");
        await addBatch(bulk.slice(start, start + BATCH_SIZE));
      }
    },
    async close() {
      // Redis answers in order: what was sent before is done.
      if (client.status === "ready") await client.quit().catch(log.report);
      await queue?.close();
    },
  };
}

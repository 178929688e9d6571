/** Takes jobs from the queue and handles them. */
import type { Job as StoredJob, Worker } from "bullmq";
import type { Clock } from "../../src/ports/clock.ts";
import type { Job, JobOutcome, WorkOptions } from "../../src/ports/cluster.ts";
import type { Logger } from "../../src/ports/logger.ts";
import type { Client } from "./clients.ts";
import type { ConnectionLog } from "./connection-log.ts";
import { createHeldJobs } from "./held-jobs.ts";
import { keyPrefix, QUEUE_NAME, readJob } from "./job-data.ts";
import type { Bullmq } from "./load-bullmq.ts";
import type { ServerFacts } from "./settings-problems.ts";
import type { Timing } from "./timing.ts";

/** A job whose worker was lost is handed to another one, however often. The store decides when a run has failed. */
const MAX_STALLED_COUNT = 1_000_000_000;
/** Milliseconds after which BullMQ repeats what failed because the connection was lost. */
const RETRY_MS = 1_000;

export interface WorkerParts {
  readonly bullmq: Bullmq;
  readonly client: Client;
  readonly prefix: string;
  readonly options: WorkOptions;
  readonly timing: Timing;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly log: ConnectionLog;
  /** What is known about the server, because BullMQ would never stop asking if it may not. */
  readonly facts: ServerFacts;
}

export interface JobWorker {
  stopTaking(): Promise<void>;
  /** Gives jobs back that are still being handled, and ends. Rejects or stays pending if Redis does not respond. */
  close(): Promise<void>;
  /** Ends without Redis. */
  abandon(): void;
}

export function createJobWorker(parts: WorkerParts): JobWorker {
  const { bullmq, client, prefix, options, timing, clock, logger, log, facts } = parts;
  let isStopping = false;
  const worker: Worker<unknown, void> = new bullmq.Worker<unknown, void>(QUEUE_NAME, (job, token) => take(job, token), {
    connection: client,
    prefix: keyPrefix(prefix),
    concurrency: options.concurrency,
    lockDuration: timing.lockMs,
    skipLockRenewal: true,
    // If INFO fails, BullMQ repeats it forever without a pause, so that nothing else in the process gets a turn. If Redis
    // may evict keys, BullMQ writes to the console.
    skipVersionCheck: !facts.hasInfo || facts.evicts,
    stalledInterval: timing.stalledMs,
    maxStalledCount: MAX_STALLED_COUNT,
    runRetryDelay: RETRY_MS,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  });
  worker.on("error", log.report);
  const held = createHeldJobs({
    clock,
    lockMs: timing.lockMs,
    renew: (ids, tokens) => worker.extendJobLocks(ids, tokens, timing.lockMs),
    report: log.report,
  });

  async function take(job: StoredJob<unknown>, token: string | undefined): Promise<void> {
    const { id } = job;
    if (token === undefined || id === undefined) throw new Error("BullMQ has not locked the job.");
    // A worker that waits for a job still takes one after it was paused.
    if (isStopping) return moved(giveBack(job, token));
    const found = readJob(job);
    if (found === "unknown-kind") return leave(job, token);
    if (found === "invalid") {
      log.warn("A job in the queue is not one of Stepwell. It was removed.", { job_id: id, kind: job.name });
      return;
    }
    const own = held.hold(job, id, token);
    let outcome: JobOutcome;
    try {
      outcome = await Promise.race([handle(found, own.signal), own.leave.then(() => "done" as const)]);
    } finally {
      held.release(own);
    }
    if (own.signal.aborted) return moved(Promise.resolve());
    if (outcome === "later") return postpone(job, token, timing.laterMs);
  }

  async function handle(job: Pick<Job, "id" | "kind" | "subject">, signal: AbortSignal): Promise<JobOutcome> {
    try {
      return await options.handle(job, signal);
    } catch (error) {
      logger.warn("The handler of a job failed. Its run goes on when the store adds it again.", {
        job_id: job.id,
        kind: job.kind,
        subject: job.subject,
        error,
      });
      return "done";
    }
  }

  /** Tells BullMQ that this worker does not have the job anymore: the job must be neither completed nor failed. */
  async function moved(move: Promise<unknown>): Promise<never> {
    await move.catch(log.report);
    throw new bullmq.WaitingError();
  }

  function leave(job: StoredJob<unknown>, token: string): Promise<never> {
    log.warn("A job has a kind that this version does not know. It is left to processes with a newer version.", {
      job_id: job.id,
      kind: job.name,
    });
    return postpone(job, token, timing.unknownKindMs);
  }

  function postpone(job: StoredJob<unknown>, token: string, milliseconds: number): Promise<never> {
    // BullMQ compares it with the clock of the machine.
    return moved(job.moveToDelayed(Date.now() + milliseconds, token));
  }

  async function giveBack(job: StoredJob<unknown>, token: string): Promise<void> {
    await job.moveToWait(token);
    // For a job with a priority, BullMQ would leave idle workers to their next look, up to five seconds later.
    await client.zadd(worker.toKey("marker"), 0, "0");
  }

  function stopTaking(): Promise<void> {
    isStopping = true;
    return worker.pause(true);
  }

  return {
    stopTaking,
    async close() {
      await stopTaking();
      await held.giveBackAll(({ job, token }) => giveBack(job, token));
      await worker.close();
    },
    abandon() {
      isStopping = true;
      held.abandon();
      worker.close().catch(log.report);
    },
  };
}

/** The connection of one process: its jobs, its worker and its messages. */
import { StepwellError } from "../../src/errors.ts";
import type { ClusterConnection, ClusterPorts, WorkOptions } from "../../src/ports/cluster.ts";
import { createErrors } from "../storage/redis-store/redis-errors.ts";
import { type Client, createClients, impatient, waiting } from "./clients.ts";
import { createConnectionLog } from "./connection-log.ts";
import { startHeartbeat } from "./heartbeat.ts";
import { loadBullmq } from "./load-bullmq.ts";
import { channelOf, createPublisher, type Publisher, subscribeTo } from "./messages.ts";
import type { CheckedOptions } from "./options.ts";
import { createJobQueue } from "./queue.ts";
import { createServerCheck } from "./server-check.ts";
import { isDoneWithin } from "./time-limit.ts";
import type { Timing } from "./timing.ts";
import { createJobWorker } from "./worker.ts";

export function createConnection(
  { source, secret, prefix }: CheckedOptions,
  { clock, logger }: ClusterPorts,
  timing: Timing,
): ClusterConnection {
  const { timeoutMs, heartbeatMs } = timing;
  const errors = createErrors(secret);
  const log = createConnectionLog({ clock, logger, prefix, errors });
  const stops: (() => void)[] = [];
  let isStopping = false;
  let stop = () => {};
  const stopping = new Promise<void>((resolve) => {
    stop = () => {
      isStopping = true;
      resolve();
    };
  });
  let isClosed = false;
  let publisher: Publisher | null = null;

  async function open() {
    const bullmq = await loadBullmq();
    const clients = await createClients({ source, log, clock, timeoutMs });
    const client = clients.open(impatient(timeoutMs));
    const check = createServerCheck({ client, clock, log, retryMs: heartbeatMs });
    stops.push(check.stop);
    const queue = createJobQueue({ bullmq, client, prefix, clock, errors, log, check, timeoutMs });
    publisher = createPublisher(client, channelOf(prefix), log);
    return { bullmq, clients, queue, check };
  }
  /** Null if a package is missing. */
  const opened = open().catch((error: Error) => {
    logger.error(error.message, { error });
    return new StepwellError("unavailable", error.message, { cause: error });
  });

  async function openWaiting() {
    const parts = await opened;
    if (parts instanceof StepwellError || isClosed) return null;
    const client = parts.clients.open(waiting(timeoutMs));
    stops.push(startHeartbeat(client, clock, timing));
    return { ...parts, client };
  }

  async function startWorker(options: WorkOptions) {
    const parts = await opened;
    if (parts instanceof StepwellError) return null;
    const facts = await Promise.race([parts.check.passed, stopping]);
    const open = facts === undefined || isStopping ? null : await openWaiting();
    if (facts === undefined || open === null) return null;
    const { bullmq, client } = open;
    const worker = createJobWorker({ bullmq, client, prefix, options, timing, clock, logger, log, facts });
    if (isStopping) await worker.stopTaking();
    return { worker, client };
  }
  let working: ReturnType<typeof startWorker> = Promise.resolve(null);

  async function closeWorker(timeUp: Promise<void>): Promise<void> {
    const found = await working;
    if (found === null) return;
    const { worker, client } = found;
    if (isReady(client)) await inTime(worker.close(), timeUp);
    worker.abandon();
  }

  /** Waits for what may fail or take too long, because nothing depends on it. */
  async function inTime(work: Promise<void>, timeUp: Promise<void>): Promise<void> {
    await Promise.race([isDoneWithin(clock, timeoutMs, work).catch(log.report), timeUp]);
  }

  return {
    async add(jobs) {
      const parts = await opened;
      if (parts instanceof StepwellError) throw parts;
      if (isClosed) throw new StepwellError("unavailable", "The connection of the cluster is closed.");
      await parts.queue.add(jobs);
    },
    work(options) {
      working = startWorker(options);
    },
    async stopTaking() {
      stop();
      const found = await working;
      await found?.worker.stopTaking();
    },
    publish: (message) => publisher?.publish(message),
    subscribe(listener) {
      void openWaiting().then((parts) => {
        if (parts !== null) subscribeTo(parts.client, channelOf(prefix), listener, { logger, log });
      });
    },
    problem: log.problem,
    async close(timeUp) {
      stop();
      isClosed = true;
      publisher?.flush();
      const parts = await opened;
      await closeWorker(timeUp);
      if (parts instanceof StepwellError) return;
      await inTime(parts.queue.close(), timeUp);
      for (const end of stops) end();
      log.stop();
      parts.clients.close();
    },
  };
}

function isReady(client: Client): boolean {
  return client.status === "ready";
}

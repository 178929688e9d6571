/**
 * A worker thread of an extractor. It reads one document at a time and is terminated when the time limit is reached.
 */
import { MEBIBYTE } from "../../../src/encoding/bytes.ts";
import { systemErrorCode } from "../../../src/errors.ts";
import type { ExtractError } from "../../../src/ports/extractor.ts";
import { startWorker } from "../../threads/start-worker.ts";
import { type ExtractorLimits, overLimit } from "../limits.ts";
import type { Failure, Job, Outcome, ThreadData } from "./protocol.ts";
import { extractProgram } from "./worker-program.ts";

export interface Thread {
  /** Runs a job. One at a time. */
  run(job: Job): Promise<Outcome>;
  /** Terminates the thread. A job in progress rejects with the reason. */
  end(reason: unknown): Promise<void>;
}

interface PendingJob {
  resolve(outcome: Outcome): void;
  reject(reason: unknown): void;
}

/** @param onEnd Called once when the thread ends for any reason. */
export function startThread(limits: ExtractorLimits, onEnd: (thread: Thread) => void): Thread {
  const workerData: ThreadData = { limits };
  const resourceLimits = { maxOldGenerationSizeMb: Math.max(16, Math.ceil(limits.memoryBytes / MEBIBYTE)) };
  const worker = startWorker<Job, Outcome>(
    extractProgram,
    { workerData, resourceLimits },
    {
      onMessage: (outcome) => settle(({ resolve }) => resolve(outcome)),
      onEnd: (error = new Error("The worker thread of the extractor exited unexpectedly.")) =>
        void end(threadError(error, limits)),
    },
  );
  let running: PendingJob | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasEnded = false;

  function settle(use: (running: PendingJob) => void): void {
    clearTimeout(timer);
    const current = running;
    running = null;
    worker.keepAlive(false); // an idle thread must not keep the process alive
    if (current !== null) use(current);
  }

  async function end(reason: unknown): Promise<void> {
    if (hasEnded) return;
    hasEnded = true;
    onEnd(thread);
    settle(({ reject }) => reject(reason));
    await worker.terminate();
  }

  const thread: Thread = {
    run: (job) =>
      new Promise((resolve, reject) => {
        running = { resolve, reject };
        worker.keepAlive(true);
        timer = setTimeout(() => {
          settle((late) => late.resolve({ ok: false, failure: failureOf(overLimit("timeoutMs", limits)) }));
          void end(undefined);
        }, limits.timeoutMs);
        worker.post(job);
      }),
    end,
  };
  return thread;
}

function failureOf({ code, message, limit }: ExtractError): Failure {
  return { code, message, limit };
}

function threadError(error: unknown, limits: ExtractorLimits): unknown {
  const isFull = systemErrorCode(error) === "ERR_WORKER_OUT_OF_MEMORY";
  return isFull ? overLimit("memoryBytes", limits) : error;
}

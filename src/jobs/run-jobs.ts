/**
 * Executes jobs, a batch at a time. Each batch is committed with the position after it, so the next process continues there. In
 * a cluster, one process executes all jobs.
 */
import { rowIds } from "../documents/documents.ts";
import { isStepwellError, StepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { Change, Store, Stored } from "../ports/store.ts";
import { createSemaphore, type Semaphore } from "../queues/semaphore.ts";
import type { Background } from "../time/background.ts";
import type { Duties } from "../time/duties.ts";
import { SECOND_MS } from "../time/units.ts";
import { createWaiters, type Waiters } from "../time/waiters.ts";
import type { JobDocument, JobKindName } from "./job.ts";
import { type ExecutedBatch, type JobExecutor, withBatch } from "./job-kind.ts";
import { endJob, jobChange, jobKey, RUNNING_LIST } from "./job-rows.ts";

export interface JobRunner {
  /** Executes a job until it has ended, unless that is in progress. */
  run(jobId: string, appId: string): void;
  /**
   * Resolves with true when the job has ended or was deleted. Resolves with false at once if this process does not execute it: the
   * job may have ended before the call, or another process executes it, or nobody does yet. Rejects with the signal's reason.
   * @throws StepwellError `unavailable` when the process closes
   */
  waitForEnd(jobId: string, signal?: AbortSignal): Promise<boolean>;
  /** Resolves after a while, in which another process may have executed a job. Rejects with the signal's reason. */
  pause(signal?: AbortSignal): Promise<void>;
  /**
   * Aborts the current batch of a job, and begins no other. When it has ended, calls `act` with what the last one has done, which
   * is to be committed if the job still has its version. Only then do waits for the end of the job settle.
   */
  interrupt<T>(jobId: string, appId: string, act: (last: ExecutedBatch | undefined) => Promise<T>): Promise<T>;
  /** Resumes the jobs of earlier processes. */
  resume(): Promise<void>;
  /** Aborts all batches and starts no others. Resolves when they have ended. */
  stop(): Promise<void>;
}

/** Batches of one app that are executed at once. Jobs of the app take turns. */
const BATCHES_PER_APP = 2;

/** How often a job that this process does not execute is read to see whether it has ended. */
const LOOK_MS = SECOND_MS / 2;

/** A job that this process executes. */
interface Running {
  readonly control: AbortController;
  readonly done: Promise<void>;
  readonly waiters: Waiters;
  /** The batch in progress or the last one. */
  batch?: Promise<unknown>;
  /** What the last batch has done. */
  executed?: ExecutedBatch;
  /** What happens before waits for the end of the job end. Does not reject. */
  last?: Promise<unknown>;
}

export function createJobRunner(parts: {
  store: Store;
  clock: Clock;
  logger: Logger;
  duties: Pick<Duties, "isMine" | "assign">;
  background: Pick<Background, "retryUntilDone">;
  executors: ReadonlyMap<JobKindName, JobExecutor>;
}): JobRunner {
  const { store, clock, logger, duties, background, executors } = parts;
  const runSoon = duties.assign("job", (subject) => runHere(...refOf(subject)));
  /** Ends the waits for jobs of other processes. */
  const stopping = new AbortController();
  const running = new Map<string, Running>();
  const turns = new Map<string, Semaphore>();
  let isStopped = false;

  function turnsOf(appId: string): Semaphore {
    const known = turns.get(appId) ?? createSemaphore(BATCHES_PER_APP);
    turns.set(appId, known);
    return known;
  }

  /** Executes the next batch. Returns the job after it, and the changes to commit with it; null if it was aborted. */
  async function next(stored: Stored<JobDocument>, signal: AbortSignal) {
    const { document, version } = stored;
    const executor = executors.get(document.kind);
    let after = document;
    let changes: readonly Change[] = [];
    try {
      if (executor === undefined) throw new Error(`no slice executes jobs of the kind ${document.kind}`);
      const batch = await executor.execute(stored, signal);
      const job = running.get(document.id);
      if (job !== undefined) job.executed = { batch, version };
      if (signal.aborted) return null;
      after = withBatch(document, batch);
      changes = batch.changes ?? [];
      if (batch.failure !== undefined) throw batch.failure.error;
      return { after: batch.isLast ? endJob(after, "succeeded", clock.now()) : after, changes };
    } catch (error) {
      if (signal.aborted || isRepeated(error)) throw error;
      const isKnown = isStepwellError(error) && error.publicDetail !== undefined;
      if (!isKnown) logger.error("a job failed", { job: document.id, kind: document.kind, error });
      const code = isStepwellError(error) ? error.code : "internal";
      const message = isKnown
        ? (error.publicDetail ?? code)
        : "Executing the job failed. See the server log for the cause.";
      return { after: endJob(after, "failed", clock.now(), { code, message }), changes };
    }
  }

  /** @returns Whether the job continues. */
  async function runBatch(stored: Stored<JobDocument>, signal: AbortSignal): Promise<boolean> {
    const { document, version } = stored;
    const executed = await next(stored, signal);
    if (executed === null) return false;
    const { after, changes } = executed;
    const executor = after.status === "running" ? undefined : executors.get(document.kind);
    try {
      await store.commit([jobChange(after, version), ...changes, ...(executor?.releaseChanges(document) ?? [])]);
    } catch (error) {
      // The job was canceled or deleted meanwhile, or another call changed a document that the batch has read.
      if (!isStepwellError(error, "conflict")) throw error;
      return true;
    }
    await executor?.released(document);
    return after.status === "running";
  }

  async function runToEnd(jobId: string, appId: string, signal: AbortSignal): Promise<void> {
    const runNext = async () => {
      const found = signal.aborted || !duties.isMine ? null : await store.get<JobDocument>(jobKey(jobId));
      // A batch that began after the interruption would not be waited for.
      if (signal.aborted || found?.document.status !== "running") return false;
      const batch = runBatch(found, signal);
      const job = running.get(jobId);
      if (job !== undefined) job.batch = batch;
      return batch;
    };
    try {
      while (await turnsOf(appId).run(runNext));
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  function runHere(jobId: string, appId: string): void {
    if (isStopped || running.has(jobId)) return;
    const control = new AbortController();
    const waiters = createWaiters();
    const { done } = background.retryUntilDone("jobs", () => runToEnd(jobId, appId, control.signal));
    const left = done.then(async () => {
      await running.get(jobId)?.last;
      running.delete(jobId);
      waiters.settle();
      if (running.size === 0) turns.clear();
    });
    running.set(jobId, { control, done: left, waiters });
  }

  async function pause(signal?: AbortSignal): Promise<void> {
    const signals = [stopping.signal, ...(signal === undefined ? [] : [signal])];
    const over = createWaiters();
    const cancel = clock.after(LOOK_MS, () => over.settle());
    await over.wait(AbortSignal.any(signals)).finally(cancel);
  }

  return {
    run: (jobId, appId) => runSoon(subjectOf(jobId, appId)),

    async waitForEnd(jobId, signal) {
      if (isStopped) throw closingError();
      const job = running.get(jobId);
      await job?.waiters.wait(signal);
      return job !== undefined;
    },

    pause,

    interrupt(jobId, appId, act) {
      // Otherwise, a batch could begin while `act` ends the job.
      runHere(jobId, appId);
      const job = running.get(jobId);
      job?.control.abort();
      // If the batch fails, the job is what the one before it has made of it.
      const acted = Promise.resolve(job?.batch?.catch(() => undefined)).then(() => act(job?.executed));
      if (job === undefined) return acted;
      job.last = acted.catch(() => undefined);
      // The job stays as it was, and nothing else would execute it before the next start.
      acted.catch(() => job.done.then(() => runHere(jobId, appId)));
      return acted;
    },

    async resume() {
      for await (const jobId of rowIds(store, RUNNING_LIST)) {
        const found = await store.get<JobDocument>(jobKey(jobId));
        if (found !== null) runHere(jobId, found.document.app_id);
      }
    },

    async stop() {
      isStopped = true;
      stopping.abort(closingError());
      const left = [...running.values()];
      for (const { control, waiters } of left) {
        control.abort();
        waiters.settle(closingError());
      }
      await Promise.all(left.map(({ done }) => done));
    },
  };
}

/** A job as a message to the process that executes it. */
export const subjectOf = (jobId: string, appId: string) => `${jobId}/${appId}`;

/** @returns The ids of the job and its app. */
export function refOf(subject: string): [string, string] {
  const slash = subject.indexOf("/");
  return [subject.slice(0, slash), subject.slice(slash + 1)];
}

function closingError(): StepwellError {
  const message =
    "The service is shutting down. Its jobs go on at the next start, or in other processes of the cluster.";
  return new StepwellError("unavailable", message, { publicDetail: message });
}

/** Whether the same batch may succeed later: the storage failed, a queue is full, or a record was changed. */
function isRepeated(error: unknown): boolean {
  return (["unavailable", "too_many_requests", "conflict"] as const).some((code) => isStepwellError(error, code));
}

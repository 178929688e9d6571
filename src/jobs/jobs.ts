/** Creates, reads, lists and cancels jobs. run-jobs.ts executes them. */
import { deleteAllListed, listPage, marksOf, updateDocument } from "../documents/documents.ts";
import type { Page } from "../documents/pagination.ts";
import type { Receipt } from "../documents/receipt.ts";
import { isStepwellError, notFound, StepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Logger } from "../ports/logger.ts";
import type { Change, Store, Stored } from "../ports/store.ts";
import { createSerialQueue, type RunSerially } from "../queues/serial-queue.ts";
import type { Background } from "../time/background.ts";
import type { Duties } from "../time/duties.ts";
import { instant } from "../time/iso.ts";
import { SECOND_MS } from "../time/units.ts";
import { within } from "../time/within.ts";
import { type Job, type JobDocument, type JobKindName, type JobQuery, jobView } from "./job.ts";
import { type ExecutedBatch, executorOf, type JobExecutor, type JobKind, withBatch } from "./job-kind.ts";
import { endJob, jobChange, jobDeletion, jobKey, jobsOf, RUNNING_LIST } from "./job-rows.ts";
import { createJobRunner, refOf, subjectOf } from "./run-jobs.ts";

/** Starts a job of one kind. @throws StepwellError `too_many_requests` if too many jobs of the app are running */
export type StartJob<Task> = (
  appId: string,
  task: Task,
  /** Number of items; null if it is unknown. */
  total: number | null,
  receipt: Receipt,
) => Promise<Job>;

export interface Jobs {
  /** Registers a kind of job. Every kind must be registered before `resume`. */
  register<Task extends object, Position extends object>(kind: JobKind<Task, Position>): StartJob<Task>;
  /** @throws StepwellError `not_found` */
  get(appId: string, jobId: string): Promise<Job>;
  /**
   * Returns the job when it has ended, or as it is when the time is up.
   * @param timeout Milliseconds. @default no limit
   * @throws StepwellError `not_found`, including for a job that is deleted meanwhile; `unavailable` when the process closes
   */
  wait(appId: string, jobId: string, timeout?: number, signal?: AbortSignal): Promise<Job>;
  /** Newest first. */
  list(appId: string, query: JobQuery): Promise<Page<Job>>;
  /**
   * Cancels a job, once what it has begun has ended. Returns it with all that it has done. A job that has ended does not change.
   * @throws StepwellError `not_found`
   */
  cancel(appId: string, jobId: string): Promise<Job>;
  /** Deletes the jobs of a deleted app. */
  deleteAll(appId: string, isStopped: () => boolean): Promise<void>;
  /** Resumes the jobs of earlier processes. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/** How long a process waits until the one that executes a job has canceled it, before it does so itself. */
const CANCEL_WAIT_MS = 5 * SECOND_MS;
/** Maximum number of running jobs of an app. */
const MAX_RUNNING = 20;

export function createJobs(parts: {
  store: Store;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  duties: Pick<Duties, "isMine" | "assign">;
  background: Pick<Background, "retryUntilDone">;
}): Jobs {
  const { store, clock, ids, logger, duties } = parts;
  const executors = new Map<JobKindName, JobExecutor>();
  /** By app. */
  const starts = new Map<string, { readonly runSerially: RunSerially; waiting: number }>();
  const runner = createJobRunner({ ...parts, executors });

  /** The process that executes the job also stores what the interrupted batch has done. */
  const cancelThere = duties.assign("job-cancellation", (subject) => {
    const [jobId, appId] = refOf(subject);
    cancelHere(appId, jobId).catch((error: unknown) => {
      if (!isStepwellError(error, "not_found")) logger.warn("could not cancel a job", { job: jobId, error });
    });
  });

  const isExpired = ({ expires_at }: JobDocument) => expires_at !== undefined && expires_at <= instant(clock.now());

  function requireJob(found: Stored<JobDocument> | null, appId: string, jobId: string): Stored<JobDocument> {
    if (found?.document.app_id !== appId || isExpired(found.document)) throw notFound("job", jobId);
    return found;
  }

  async function deleteAll(appId: string, isStopped: () => boolean): Promise<void> {
    const deleted: JobDocument[] = [];
    const deletion = (job: JobDocument, version: number): readonly Change[] => {
      if (job.status !== "running") return [jobDeletion(job, version)];
      deleted.push(job);
      return [jobDeletion(job, version), ...(executors.get(job.kind)?.releaseChanges(job) ?? [])];
    };
    await deleteAllListed(store, jobsOf(appId), jobKey, deletion, isStopped);
    for (const job of deleted) {
      await runner.interrupt(job.id, appId, async () => executors.get(job.kind)?.released(job));
    }
  }

  /** The check and the commit of a job are one turn: otherwise, calls at the same time would exceed the limit. */
  function inTurn<T>(appId: string, act: () => Promise<T>): Promise<T> {
    const known = starts.get(appId) ?? { runSerially: createSerialQueue(), waiting: 0 };
    starts.set(appId, known);
    known.waiting++;
    return known.runSerially(act).finally(() => {
      if (--known.waiting === 0) starts.delete(appId);
    });
  }

  async function checkRunning(appId: string): Promise<void> {
    const { total = 0 } = await store.list(RUNNING_LIST, { limit: 1, marks: [[`app:${appId}`]] });
    if (total < MAX_RUNNING) return;
    const message = `The app already has ${MAX_RUNNING} running jobs, the limit. Wait until one has ended, or cancel one.`;
    throw new StepwellError("too_many_requests", message);
  }

  async function start(kind: JobKindName, appId: string, task: object, total: number | null, receipt: Receipt) {
    const document: JobDocument = {
      ...{ id: ids.next("job"), app_id: appId, kind, status: "running", done: 0, total },
      ...{ report: { failed: 0, problems: [] }, error: null, created_at: instant(clock.now()), finished_at: null },
      ...{ task, position: null, listed_in: jobsOf(appId) },
    };
    const job = jobView(document);
    await inTurn(appId, async () => {
      await checkRunning(appId);
      await store.commit([jobChange(document), ...receipt(job)]);
    });
    runner.run(job.id, appId);
    return job;
  }

  async function get(appId: string, jobId: string): Promise<Job> {
    const { document } = requireJob(await store.get<JobDocument>(jobKey(jobId)), appId, jobId);
    // If the commit that created it got no response, nothing executes it yet.
    if (document.status === "running") runner.run(jobId, appId);
    return jobView(document);
  }

  async function cancelAfter(last: ExecutedBatch | undefined, appId: string, jobId: string): Promise<Job> {
    let executor: JobExecutor | undefined;
    const job = await updateDocument<JobDocument, JobDocument>(store, jobKey(jobId), (found) => {
      const { document, version } = requireJob(found, appId, jobId);
      executor = document.status === "running" ? executors.get(document.kind) : undefined;
      if (document.status !== "running") return { changes: [], result: document };
      // The job has another version if the batch is stored already.
      const batch = last?.version === version ? last.batch : undefined;
      const after = batch === undefined ? document : withBatch(document, batch);
      const canceled = endJob(after, "canceled", clock.now());
      const released = executor?.releaseChanges(document) ?? [];
      return { changes: [jobChange(canceled, version), ...(batch?.changes ?? []), ...released], result: canceled };
    });
    await executor?.released(job);
    return jobView(job);
  }

  const cancelHere = (appId: string, jobId: string) =>
    runner.interrupt(jobId, appId, (last) => cancelAfter(last, appId, jobId));

  async function untilEnded(appId: string, jobId: string, until: AbortSignal | undefined): Promise<void> {
    for (;;) {
      const wasHere = await runner.waitForEnd(jobId, until);
      if ((await get(appId, jobId)).status !== "running") return;
      // A cancellation that could not be stored ends a wait, but not the job.
      if (!wasHere) await runner.pause(until);
    }
  }

  return {
    register(kind) {
      executors.set(kind.name, executorOf(kind));
      return (appId, task, total, receipt) => start(kind.name, appId, task, total, receipt);
    },

    get,

    async wait(appId, jobId, timeout, signal) {
      const { status } = await get(appId, jobId);
      if (status === "running") await within(clock, timeout, signal, (until) => untilEnded(appId, jobId, until));
      return get(appId, jobId);
    },

    list: (appId, { status, ...query }) =>
      listPage<JobDocument, Job>(store, jobsOf(appId), { ...query, marks: marksOf("status", status) }, jobKey, (job) =>
        isExpired(job) ? null : jobView(job),
      ),

    async cancel(appId, jobId) {
      const { document } = requireJob(await store.get<JobDocument>(jobKey(jobId)), appId, jobId);
      if (document.status === "running" && !duties.isMine) {
        cancelThere(subjectOf(jobId, appId));
        await within(clock, CANCEL_WAIT_MS, undefined, (until) => untilEnded(appId, jobId, until));
      }
      return cancelHere(appId, jobId);
    },

    deleteAll,
    resume: runner.resume,
    stop: runner.stop,
  };
}

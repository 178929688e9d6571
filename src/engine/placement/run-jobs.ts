/**
 * Jobs of runs: a run that needs a worker is offered to all of them as a job, and the worker that takes the job executes the
 * run until it ends, waits or must be queued again. The store tells which runs need a worker, so a job that was lost is
 * added again.
 */
import type { Cluster } from "../../cluster/cluster.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Job, JobOutcome } from "../../ports/cluster.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Store, Stored } from "../../ports/store.ts";
import { ACTIVE_RUNS, READY, readyMark, runKey, workerMark } from "../../runs/run-rows.ts";
import type { Background } from "../../time/background.ts";
import { elapsedOf } from "../../time/system-clock.ts";
import { SECOND_MS } from "../../time/units.ts";
import type { RunRegistry } from "../run-registry.ts";
import { isActive, type RunDocument } from "../state/run-document.ts";
import type { Place, Rooms } from "./rooms.ts";

/** Runs that no worker has taken. */
export interface JobQueue {
  /** Their number when they were counted last, and of those that were offered since. */
  readonly queued: number;
  /** How long this process has seen the first of them, in milliseconds; 0 if there is none. */
  readonly oldestQueuedMs: number;
}

export interface RunJobs {
  /** Adds the job of a stored run that no worker has. Never rejects. */
  offer(run: Stored<RunDocument>): void;
  /**
   * Executes a run, unless another worker does. Resolves with `done` when it has left this process, or with `later` if it has no
   * slot for it.
   */
  take(runId: string): Promise<JobOutcome>;
  queue(): JobQueue;
  countQueued(): Promise<void>;
  /** Ends a run's trial because the run has stored an outcome. */
  endTrialOf(runId: string): void;
  /**
   * Adds jobs for runs whose jobs were lost, and for runs of lost workers. Returns whether all runs of a lost worker have been
   * taken.
   */
  look(): Promise<boolean>;
}

/** Number of runs without a worker that one look reads. The next one continues. */
const RUNS_PER_LOOK = 500;
/** So few runs without a worker don't keep each other waiting. */
const SHORT_QUEUE = 20;
/** Most that the queue accepts. */
const MAX_PRIORITY = 2_000_000;
/** How long a run whose worker was lost keeps other such runs back, if it stores no outcome. */
const TRIAL_MS = 10 * SECOND_MS;
const FIRST = { limit: 1, descending: false, withoutTotal: false } as const;

export function createRunJobs(parts: {
  store: Store;
  logger: Logger;
  cluster: Pick<Cluster, "connection" | "membership">;
  clock: Clock;
  background: Background;
  rooms: Rooms;
  runs: Pick<RunRegistry, "has" | "executeHere" | "untilGone" | "isClosed">;
  isElsewhere(document: RunDocument): Promise<boolean>;
}): RunJobs {
  const { store, clock, logger, cluster, background, rooms, runs, isElsewhere } = parts;
  const { connection, membership } = cluster;
  /** The run on trial: its worker was lost while it executed this one among others. One of them may be why. */
  let trial: { readonly runId: string; end(): void } | null = null;
  const offered: Stored<RunDocument>[] = [];
  let next: string | undefined;
  let queued = 0;
  /** The run that waits longest. */
  let first: { readonly runId: string; readonly since: number } | null = null;

  /** Apps take turns: a run comes behind those runs of other apps that have fewer runs of their app ahead of them. */
  async function priorityOf({ app_id, priority = 0 }: RunDocument): Promise<number> {
    if (queued < SHORT_QUEUE) return 0;
    const { total = 0 } = await store.list(ACTIVE_RUNS, { ...FIRST, marks: [[readyMark(app_id)]] });
    return Math.min(MAX_PRIORITY, Math.max(0, total - priority));
  }

  /** Adds the jobs of all runs that were offered in this turn of the event loop. */
  async function addOffered(): Promise<void> {
    await Promise.resolve();
    const runs = offered.splice(0);
    const jobs = runs.map(async ({ document, version }) => jobOf(document.id, version, await priorityOf(document)));
    await connection.add(await Promise.all(jobs));
  }

  async function addMissing(mark: string, after: string | undefined, limit: number) {
    const chosen = { limit, after, descending: false, withoutTotal: true, marks: [[mark]] };
    const page = await store.listDocuments<RunDocument>(ACTIVE_RUNS, chosen, runKey);
    const jobs = page.documents.map(({ document, version }) => jobOf(document.id, version, 0));
    if (jobs.length > 0) await connection.add(jobs);
    return page;
  }

  /** Until the run has stored an outcome or left this process, no other suspect is taken. */
  function beginTrial(runId: string): void {
    const cancel = clock.after(TRIAL_MS, () => endTrialOf(runId));
    trial = { runId, end: cancel };
  }

  function endTrialOf(runId: string): void {
    if (trial?.runId !== runId) return;
    trial.end();
    trial = null;
  }

  async function execute(run: Stored<RunDocument>): Promise<JobOutcome> {
    const { document } = run;
    const worker = membership.id;
    const places = await rooms.enter(document, worker);
    // The limit is reached. The next run that ends adds the job again.
    if (places === null) return "done";
    try {
      if (!runs.executeHere(run)) return "later";
      await runs.untilGone(document.id);
      return "done";
    } finally {
      if (places.length > 0) void background.retryUntilDone("runs", () => leave(places, document));
    }
  }

  /** Gives places back to the runs that have waited longest. */
  async function leave(places: readonly Place[], { app_id, workflow_id }: RunDocument): Promise<void> {
    await rooms.leave(places);
    for (const mark of [readyMark(app_id), readyMark(workflow_id)]) await addMissing(mark, undefined, places.length);
  }

  return {
    queue: () => ({ queued, oldestQueuedMs: first === null ? 0 : elapsedOf(clock) - first.since }),

    async countQueued() {
      const { total = 0, ids } = await store.list(ACTIVE_RUNS, { ...FIRST, marks: [[READY]] });
      queued = total;
      const [runId] = ids;
      if (runId === undefined) first = null;
      else if (first?.runId !== runId) first = { runId, since: elapsedOf(clock) };
    },

    offer(run) {
      queued++;
      offered.push(run);
      if (offered.length > 1) return;
      addOffered().catch((error: unknown) =>
        logger.warn("could not add jobs of runs; they are added again soon", { run: run.document.id, error }),
      );
    },

    async take(runId) {
      const found = await store.get<RunDocument>(runKey(runId));
      if (found === null || !isActive(found.document) || (await isElsewhere(found.document))) return "done";
      if (runs.isClosed() || (await runs.has(runId))) return "done";
      const isSuspect = typeof found.document.worker === "string";
      if (isSuspect && trial !== null) return "later";
      if (isSuspect) beginTrial(runId);
      try {
        return await execute(found);
      } finally {
        endTrialOf(runId);
      }
    },

    endTrialOf,

    async look() {
      next = (await addMissing(READY, next, RUNS_PER_LOOK)).next;
      let isAnyGone = false;
      for (const worker of membership.lost()) {
        await rooms.leaveAll(worker);
        const { ids } = await addMissing(workerMark(worker), undefined, RUNS_PER_LOOK);
        if (ids.length > 0) continue;
        await membership.forget(worker);
        isAnyGone = true;
      }
      return isAnyGone;
    },
  };
}

/** Each time a run needs a worker, its document has another version: so an earlier job doesn't stand in for a new one. */
function jobOf(runId: string, version: number, priority: number): Job {
  return { id: `${runId}-${version}`, kind: "run", subject: runId, priority };
}

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
import { SECOND_MS } from "../../time/units.ts";
import type { RunRegistry } from "../run-registry.ts";
import { isActive, type RunDocument } from "../state/run-document.ts";

export interface RunJobs {
  /** Adds the job of a stored run that no worker has. Never rejects. */
  offer(run: Stored<RunDocument>): void;
  /**
   * Executes a run, unless another worker does. Resolves with `done` when it has left this process, or with `later` if it has no
   * slot for it.
   */
  take(runId: string): Promise<JobOutcome>;
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
/** Most that the queue accepts. */
const MAX_PRIORITY = 2_000_000;
/** How long a run whose worker was lost keeps other such runs back, if it stores no outcome. */
const TRIAL_MS = 10 * SECOND_MS;
const FIRST = { limit: 1, withoutTotal: false } as const;

export function createRunJobs(parts: {
  store: Store;
  logger: Logger;
  cluster: Pick<Cluster, "connection" | "membership">;
  clock: Clock;
  runs: Pick<RunRegistry, "has" | "executeHere" | "untilGone" | "isClosed">;
  isElsewhere(document: RunDocument): Promise<boolean>;
}): RunJobs {
  const { store, clock, logger, cluster, runs, isElsewhere } = parts;
  const { connection, membership } = cluster;
  /** The run on trial: its worker was lost while it executed this one among others. One of them may be why. */
  let trial: { readonly runId: string; end(): void } | null = null;
  let next: string | undefined;

  /** Apps take turns: a run comes behind those runs of other apps that have fewer runs of their app ahead of them. */
  async function priorityOf({ app_id, priority = 0 }: RunDocument): Promise<number> {
    const { total = 0 } = await store.list(ACTIVE_RUNS, { ...FIRST, marks: [[readyMark(app_id)]] });
    return Math.min(MAX_PRIORITY, Math.max(0, total - priority));
  }

  async function add({ document, version }: Stored<RunDocument>): Promise<void> {
    const priority = await priorityOf(document);
    await connection.add([jobOf(document.id, version, priority)]);
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

  return {
    offer(run) {
      add(run).catch((error: unknown) =>
        logger.warn("could not add the job of a run; it is added again soon", { run: run.document.id, error }),
      );
    },

    async take(runId) {
      const found = await store.get<RunDocument>(runKey(runId));
      if (found === null || !isActive(found.document) || (await isElsewhere(found.document))) return "done";
      if (runs.isClosed() || (await runs.has(runId))) return "done";
      const isSuspect = typeof found.document.worker === "string";
      if ((isSuspect && trial !== null) || !runs.executeHere(found)) return "later";
      if (isSuspect) beginTrial(runId);
      await runs.untilGone(runId);
      endTrialOf(runId);
      return "done";
    },

    endTrialOf,

    async look() {
      next = (await addMissing(READY, next, RUNS_PER_LOOK)).next;
      let isAnyGone = false;
      for (const worker of membership.lost()) {
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

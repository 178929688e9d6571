/**
 * Jobs of runs: runs that need a worker are offered to all of them as a job, and the worker that takes the job executes them.
 * The job ends as soon as they have a slot there; from then on, the store says who has them. It also tells which runs need a
 * worker, so a job that was lost is added again.
 */
import type { Cluster } from "../../cluster/cluster.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Job, JobOutcome } from "../../ports/cluster.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Store, Stored } from "../../ports/store.ts";
import { ACTIVE_RUNS, READY, readyMark, runKey, workerMark } from "../../runs/run-rows.ts";
import type { Background } from "../../time/background.ts";
import { elapsedOf, inNextTurn } from "../../time/system-clock.ts";
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
   * Executes the runs of a job, except those that another worker has. Resolves with `done` when they have begun, or with `later`
   * if there is no slot for one of them.
   */
  take(subject: string): Promise<JobOutcome>;
  queue(): JobQueue;
  countQueued(): Promise<void>;
  /** Resumes runs of which the store says that this process executes them, although it does not. */
  checkOwn(): Promise<void>;
  /** Ends a run's trial because the run has stored an outcome. */
  endTrialOf(runId: string): void;
  /**
   * Adds jobs for runs whose jobs were lost, and for runs of lost workers, also of those that are forgotten. Returns whether all runs of a lost worker have been
   * taken.
   */
  look(): Promise<boolean>;
}

/** Number of runs without a worker that one look reads. The next one continues. */
const RUNS_PER_LOOK = 500;
/** Number of active runs whose workers one look checks. The next one continues. */
const RUNS_PER_CHECK = 100;
/** Most runs of a job. */
const RUNS_PER_JOB = 16;
/** How long a worker without a slot keeps a job before others may take it. */
const SLOT_WAIT_MS = 250;
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
  resumeEvicted(runId: string): void;
}): RunJobs {
  const { store, clock, logger, cluster, background, rooms, runs, isElsewhere, resumeEvicted } = parts;
  const { connection, membership } = cluster;
  /** The run on trial: its worker was lost while it executed this one among others. One of them may be why. */
  let trial: { readonly runId: string; end(): void } | null = null;
  const offered: Stored<RunDocument>[] = [];
  let next: string | undefined;
  let nextActive: string | undefined;
  /** How many runs of each app the looks have passed since they began at the first one. */
  let passed = new Map<string, number>();
  /** Runs of this process that were not in memory when it looked last. */
  let absent: ReadonlySet<string> = new Set();
  let queued = 0;
  /** The run that waits longest. */
  let first: { readonly runId: string; readonly since: number } | null = null;

  /** Apps take turns: a run comes behind those runs of other apps that have fewer runs of their app ahead of them. */
  async function priorityOf({ app_id, priority = 0 }: RunDocument): Promise<number> {
    if (queued < SHORT_QUEUE) return 0;
    const { total = 0 } = await store.list(ACTIVE_RUNS, { ...FIRST, marks: [[readyMark(app_id)]] });
    return Math.min(MAX_PRIORITY, Math.max(0, total - priority));
  }

  /** The same for runs that a look finds: it passes the runs of an app in their order. */
  function priorityInLook({ app_id, priority = 0 }: RunDocument): number {
    const ahead = passed.get(app_id) ?? 0;
    passed.set(app_id, ahead + 1);
    return Math.min(MAX_PRIORITY, Math.max(0, ahead - priority));
  }

  /** Adds the jobs of all runs that were offered in this turn of the event loop. */
  async function addOffered(): Promise<void> {
    await new Promise<void>((resolve) => inNextTurn(clock, resolve));
    const workers = membership.members().filter(({ works }) => works).length;
    const jobs = together(offered.splice(0), workers).map(async (runs) =>
      jobOf(runs, await priorityOf(runs[0].document)),
    );
    await connection.add(await Promise.all(jobs));
  }

  /**
   * @param hasPlace Whether the limits allow a run, too. Its job would be of no use otherwise.
   * @param priorityIn Priority of a run. Default: the highest.
   */
  async function addMissing(
    mark: string,
    after: string | undefined,
    limit: number,
    hasPlace: (document: RunDocument) => Promise<boolean> = async () => true,
    priorityIn: (document: RunDocument) => number = () => 0,
  ) {
    const chosen = { limit, after, descending: false, withoutTotal: true, marks: [[mark]] };
    const page = await store.listDocuments<RunDocument>(ACTIVE_RUNS, chosen, runKey);
    const jobs: Job[] = [];
    for (const run of page.documents) {
      const priority = priorityIn(run.document);
      if (await hasPlace(run.document)) jobs.push(jobOf([run], priority));
    }
    if (jobs.length > 0) await connection.add(jobs);
    return page;
  }

  /** Adds the jobs of runs whose worker is lost and forgotten: it may have taken them before it noticed. */
  async function addForgotten(after: string | undefined): Promise<string | undefined> {
    const chosen = { limit: RUNS_PER_CHECK, after, descending: false, withoutTotal: true };
    const page = await store.listDocuments<RunDocument>(ACTIVE_RUNS, chosen, runKey);
    const forgotten: Stored<RunDocument>[] = [];
    for (const run of page.documents) {
      const { worker } = run.document;
      const isOfOther = typeof worker === "string" && worker !== membership.id;
      if (isOfOther && !(await isElsewhere(run.document))) forgotten.push(run);
    }
    if (forgotten.length > 0) await connection.add(forgotten.map((run) => jobOf([run], 0)));
    return page.next;
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

  /** Resolves with false if this process has no slot for the run. */
  async function execute(run: Stored<RunDocument>, timeUp: Promise<void>): Promise<boolean> {
    const { document } = run;
    const places = await rooms.enter(document, membership.id);
    // The limit is reached. The next run that ends adds the job again.
    if (places === null) return true;
    const leaveLater = () => {
      if (places.length > 0) void background.retryUntilDone("runs", () => leave(places, document));
    };
    let isHere = false;
    try {
      isHere = await runs.executeHere(run, timeUp);
    } finally {
      if (!isHere) leaveLater();
    }
    if (isHere) void runs.untilGone(document.id).then(leaveLater);
    return isHere;
  }

  async function takeRun(run: Stored<RunDocument> | null, timeUp: Promise<void>): Promise<boolean> {
    if (run === null || !isActive(run.document) || (await isElsewhere(run.document))) return true;
    const { id } = run.document;
    if (runs.isClosed() || (await runs.has(id))) return true;
    const isSuspect = typeof run.document.worker === "string";
    if (!isSuspect) return execute(run, timeUp);
    if (trial !== null) return false;
    beginTrial(id);
    const isHere = await execute(run, timeUp).catch((error: unknown) => {
      endTrialOf(id);
      throw error;
    });
    void runs.untilGone(id).then(() => endTrialOf(id));
    return isHere;
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

    async take(subject) {
      const found = await store.getMany<RunDocument>(subject.split(" ").map(runKey));
      let cancel = () => {};
      const timeUp = new Promise<void>((resolve) => {
        cancel = clock.after(SLOT_WAIT_MS, resolve);
      });
      const outcomes = await Promise.all(found.map((run) => takeRun(run, timeUp))).finally(() => cancel());
      return outcomes.every(Boolean) ? "done" : "later";
    },

    endTrialOf,

    async checkOwn() {
      const chosen = { limit: RUNS_PER_LOOK, withoutTotal: true, marks: [[workerMark(membership.id)]] };
      const { ids } = await store.list(ACTIVE_RUNS, chosen);
      const here = await Promise.all(ids.map((runId) => runs.has(runId)));
      const gone = ids.filter((_, at) => here[at] === false);
      // One that has just left may have been listed before.
      for (const runId of gone) if (absent.has(runId)) resumeEvicted(runId);
      absent = new Set(gone);
    },

    async look() {
      nextActive = await addForgotten(nextActive);
      if (next === undefined) passed = new Map();
      next = (await addMissing(READY, next, RUNS_PER_LOOK, rooms.vacancies(), priorityInLook)).next;
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

type Runs = readonly [Stored<RunDocument>, ...Stored<RunDocument>[]];

/** Runs that share a job: of one app and with the same priority, and not more than each worker's part of them. */
function together(runs: readonly Stored<RunDocument>[], workers: number): readonly Runs[] {
  const groups = new Map<string, Stored<RunDocument>[]>();
  for (const run of runs) {
    const { app_id, priority = 0 } = run.document;
    const others = groups.get(`${app_id} ${priority}`);
    if (others === undefined) groups.set(`${app_id} ${priority}`, [run]);
    else others.push(run);
  }
  return [...groups.values()].flatMap((group) => {
    const size = Math.min(RUNS_PER_JOB, Math.ceil(group.length / Math.max(1, workers)));
    const parts: Runs[] = [];
    for (
      let [first, ...others] = group.splice(0, size);
      first !== undefined;
      [first, ...others] = group.splice(0, size)
    ) {
      parts.push([first, ...others]);
    }
    return parts;
  });
}

/** Each time a run needs a worker, its document has another version: so an earlier job doesn't stand in for a new one. */
function jobOf(runs: Runs, priority: number): Job {
  const [{ document, version }] = runs;
  const subject = runs.map((run) => run.document.id).join(" ");
  return { id: `${document.id}-${version}`, kind: "run", subject, priority };
}

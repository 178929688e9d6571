/** Starts a run: stores it, then executes it as soon as it has a slot and its files. */

import { lookbackChanges } from "../../app-events/event-wait.ts";
import type { Receipt } from "../../documents/receipt.ts";
import { omitUndefined } from "../../json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Hash } from "../../ports/hash.ts";
import type { Change, Store, Stored } from "../../ports/store.ts";
import type { Run } from "../../runs/run.ts";
import type { NewRun } from "../../runs/run-executor.ts";
import type { DurableTimers } from "../../time/durable-timers.ts";
import { instant } from "../../time/iso.ts";
import { createPause } from "../../time/pause.ts";
import type { Admission, Decision } from "../admission/admission.ts";
import type { Debounce } from "../admission/debounce.ts";
import type { DescendantLimit } from "../admission/descendant-limit.ts";
import { withLimits } from "../admission/run-admission.ts";
import type { Plan } from "../compile/plan.ts";
import type { VersionCache } from "../compile/version-cache.ts";
import type { EngineHandlers } from "../engine-events.ts";
import type { LoadedRun } from "../execution/execution-types.ts";
import type { Placement } from "../placement/placement.ts";

import { drainReadyTasks } from "../progress/drain-ready-tasks.ts";
import { Progress } from "../progress/progress.ts";
import type { RunRegistry } from "../run-registry.ts";
import { baseScope } from "../state/base-scope.ts";
import { writeInput } from "../state/input-json.ts";
import { withOpenWaits } from "../state/open-waits.ts";
import { indexOfStart, type Replay } from "../state/replay.ts";
import { foldRun, putEndedRun, putRun } from "../state/run-changes.ts";
import {
  asBegun,
  asNotBegun,
  newDocument,
  placedAt,
  type RunDocument,
  rootOf,
  withoutRateLimit,
} from "../state/run-document.ts";
import { asWaiting } from "../state/run-timeout.ts";
import { showEndedFrom, showRunning } from "../state/run-view.ts";
import type { VersionUses } from "../state/version-uses.ts";
import { closingError } from "../step-error.ts";
import type { BeginRuns } from "./begin-runs.ts";
import { continueFrom } from "./continued-runs.ts";
import type { RunCompletion } from "./run-completion.ts";
import type { RunQueue } from "./run-queue.ts";
import type { RunsWaitingForFiles } from "./runs-waiting-for-files.ts";

/**
 * @throws StepwellError `too_many_requests`, `unavailable`
 * @throws DescendantLimitError
 */
export type StartRun = (run: NewRun, receipt: Receipt) => Promise<Run>;

/** A run to start, with its plan and what is committed with it. */
interface Request {
  readonly run: NewRun;
  readonly plan: Plan;
  readonly receipt: Receipt;
}

const NOTHING_STORED: Pick<LoadedRun, "version" | "records" | "substeps" | "largeValues"> = {
  version: 1,
  records: 0,
  substeps: new Map(),
  largeValues: new Set(),
};

export function createStartRun(parts: {
  store: Store;
  clock: Clock;
  compiled: VersionCache;
  queue: RunQueue;
  runs: RunRegistry;
  descendants: DescendantLimit;
  completion: RunCompletion;
  waitingForFiles: RunsWaitingForFiles;
  debounce: Debounce;
  admission: Admission;
  beginRuns: Pick<BeginRuns, "store">;
  replay: Replay;
  hash: Hash;
  /** Returns a stored run. */
  show(runId: string): Promise<Run>;
  timers: Pick<DurableTimers, "set">;
  /** Maximum duration of a run in milliseconds. */
  runTimeoutMs: number;
  versionUses: VersionUses;
  placement: Pick<Placement, "worker">;
  onEventWaitsStored: EngineHandlers["onEventWaitsStored"];
}): StartRun {
  const { store, clock, hash, compiled, queue, runs, descendants, debounce, admission, beginRuns, show } = parts;
  const { completion, waitingForFiles, timers, runTimeoutMs, versionUses, placement, onEventWaitsStored } = parts;
  const pause = createPause(clock);

  function put(run: NewRun, changes: readonly Change[], before?: RunDocument): Promise<void> {
    const commit = () => versionUses.storeRun(run.version, (more) => store.commit([...changes, ...more]), before);
    const root = rootOf(run);
    const isCountedAlready = root === null || root === before?.root_run_id;
    return isCountedAlready ? commit() : descendants.add(root, run.id, commit);
  }

  async function start(run: NewRun, receipt: Receipt): Promise<Run> {
    if (runs.isClosed()) throw closingError();
    const now = clock.now();
    const created = newDocument(run, instant(now));
    const version = await compiled.get(run.version);
    const plan = version.plan(indexOfStart(run.version, run.start));
    const writing = writeInput(created, pause);
    if (writing !== null) await writing;
    const isLimited = version.limits !== null || run.run_at !== undefined || run.priority !== undefined;
    const document = isLimited ? withLimits(created, run, version.limits, hash, now) : created;
    const request: Request = { run, plan, receipt };
    if (run.continues !== undefined) return startContinued(request, document, run.continues);
    return debounce.join(
      document,
      (next, before) => storeWaiting(request, next, [], before),
      (changes) => startNew(request, document, changes),
    );
  }

  /** Starts a run that keeps outcomes of another one. It is loaded from its journal as a resumed run is. */
  async function startContinued(
    request: Request,
    created: RunDocument,
    continues: NonNullable<NewRun["continues"]>,
  ): Promise<Run> {
    const { document, changes, show: showContinued } = await continueFrom(parts, created, request.plan, continues);
    return admission.withKeys(document, async () => {
      const decision = await admission.decideNew(document);
      if (decision.kind === "skipped") return answerWith(decision.by, request.receipt);
      return storeDecided(request, { ...decision, changes: [...decision.changes, ...changes] }, showContinued);
    });
  }

  /** The keys of a run may have been in use since it was created. */
  function asBegunNow(document: RunDocument): RunDocument {
    const now = instant(clock.now());
    if (now === document.created_at) return document;
    // It may have to wait for a slot.
    return { ...asBegun(document, "running", now), ...omitUndefined({ rate_limit: document.rate_limit }) };
  }

  async function startNew(request: Request, document: RunDocument, changes: readonly Change[]): Promise<Run> {
    const { awaiting, begins_at, admission: waits, concurrency } = document;
    if (awaiting !== undefined) return storeWaiting(request, asNotBegun(document, "waiting", awaiting.until), changes);
    const begins = begins_at === undefined && waits === undefined && concurrency === undefined;
    if (begins) return begin(request, document, changes);
    return admission.withKeys(document, async () => {
      const decision = await admission.decideNew(document);
      switch (decision.kind) {
        case "begins":
          return begin(request, asBegunNow(decision.document), decision.changes);
        case "waits":
          return storeWaiting(request, decision.document, [...decision.changes, ...changes]);
        case "skipped":
          return answerWith(decision.by, request.receipt);
      }
    });
  }

  /** Answers with another run, which takes the place of the new one. */
  async function answerWith(runId: string, receipt: Receipt): Promise<Run> {
    const shown: Run = { ...(await show(runId)), existing: true };
    await store.commit([...receipt(shown)]);
    return shown;
  }

  async function begin(request: Request, created: RunDocument, changes: readonly Change[]): Promise<Run> {
    const { run, plan, receipt } = request;
    const progress = new Progress(plan, baseScope(created));
    const first = progress.start(Date.parse(created.begun_at ?? created.created_at));
    const ready = progress.isPaused() ? await drainReadyTasks(progress, plan.pace, first) : first;
    if (progress.open() === 0 || progress.failure() !== null) return startEnded(request, created, progress, changes);

    const queueEntry = progress.waiting() === progress.open() ? null : queue.enter(created);
    const status = queueEntry === null ? "waiting" : queueEntry.hasSlot ? "running" : "queued";
    const begun: RunDocument =
      status === "waiting"
        ? asWaiting(withoutRateLimit(created), runTimeoutMs, progress.wakeUps)
        : status === "queued"
          ? { ...created, status, started_at: null }
          : { ...withoutRateLimit(created), status, started_at: instant(clock.now()) };
    const document = withOpenWaits(placedAt(begun, placement.worker), plan, progress);
    const lookbacks = lookbackChanges(document, undefined);
    const shown = showRunning(document, plan, progress);
    const commit = () => put(run, [putRun(document, expectedOf(run)), ...lookbacks, ...changes, ...receipt(shown)]);
    const loaded = status === "running" ? { document, plan, progress, ready, ...NOTHING_STORED } : undefined;
    await runs.store({ document, version: NOTHING_STORED.version }, queueEntry, commit, loaded);
    if (lookbacks.length > 0) onEventWaitsStored(document.app_id, document.id);
    if (document.due_at !== undefined) timers.set(document.due_at);
    return shown;
  }

  /** Stores a run that ended without executing a step, because its steps were all evaluated at once. */
  async function startEnded(
    { run, plan, receipt }: Request,
    created: RunDocument,
    progress: Progress,
    earlier: readonly Change[],
  ): Promise<Run> {
    const error = progress.failure();
    const end = { status: error === null ? "succeeded" : "failed", error, at: instant(clock.now()) } as const;
    const { document, changes } = foldRun(created, plan, progress, end, NOTHING_STORED.largeValues);
    const shown = showEndedFrom(document, plan, progress);
    await put(run, [...earlier, ...changes, putEndedRun(document, expectedOf(run)), ...receipt(shown)]);
    completion.resolve(document, () => shown);
    return shown;
  }

  /**
   * Stores a run that waits for its files, for a time or for other runs.
   * @param before The stored run whose input it replaces.
   */
  async function storeWaiting(
    request: Request,
    document: RunDocument,
    changes: readonly Change[],
    before?: Stored<RunDocument>,
  ): Promise<Run> {
    const show = (waiting: RunDocument) => showNew(waiting, request.plan);
    const shown = await storeDecided(request, { kind: "waits", document, changes }, show, before);
    // A file may have been received just before the run was stored.
    if (document.awaiting !== undefined) await waitingForFiles.check(document.id);
    return shown;
  }

  function storeDecided(
    { run, receipt }: Request,
    decision: Decision,
    showStored: (document: RunDocument) => Run,
    before?: Stored<RunDocument>,
  ): Promise<Run> {
    const place = { enter: queue.enter, version: (before?.version ?? 0) + 1 };
    return beginRuns.store(decision, place, async (document) => {
      const shown: Run = { ...showStored(document), ...omitUndefined({ existing: before && (true as const) }) };
      const change = putRun(document, before === undefined ? expectedOf(run) : before.version, before?.document);
      await put(run, [change, ...decision.changes, ...receipt(shown)], before?.document);
      return shown;
    });
  }

  return start;
}

const showNew = (document: RunDocument, plan: Plan): Run =>
  showRunning(document, plan, new Progress(plan, baseScope(document)));

/** A run whose id is derived may exist already if the process crashed after starting it; `null` makes the commit check that. */
const expectedOf = ({ parent, hasDerivedId }: NewRun) =>
  parent === null && hasDerivedId === undefined ? undefined : null;

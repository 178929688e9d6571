/** Starts a run: stores it, then executes it as soon as it has a slot and its files. */

import { lookbackChanges } from "../../app-events/event-wait.ts";
import type { Receipt } from "../../documents/receipt.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Hash } from "../../ports/hash.ts";
import type { Change, Store, Stored } from "../../ports/store.ts";
import type { Run } from "../../runs/run.ts";
import type { NewRun } from "../../runs/run-executor.ts";
import type { DurableTimers } from "../../time/durable-timers.ts";
import { instant } from "../../time/iso.ts";
import type { Admission } from "../admission/admission.ts";
import type { Debounce } from "../admission/debounce.ts";
import type { DescendantLimit } from "../admission/descendant-limit.ts";
import { withLimits } from "../admission/run-admission.ts";
import type { Plan } from "../compile/plan.ts";
import type { VersionCache } from "../compile/version-cache.ts";
import type { EngineHandlers } from "../engine-events.ts";
import type { LoadedRun } from "../execution/execution-types.ts";
import { createProgress } from "../progress/create-progress.ts";
import { drainReadyTasks } from "../progress/drain-ready-tasks.ts";
import type { Progress } from "../progress/progress.ts";
import type { RunRegistry } from "../run-registry.ts";
import { baseScope } from "../state/base-scope.ts";
import { withOpenWaits } from "../state/open-waits.ts";
import { indexOfStart, type Replay } from "../state/replay.ts";
import { foldRun, putEndedRun, putRun } from "../state/run-changes.ts";
import { asBegun, newDocument, type RunDocument, rootOf } from "../state/run-document.ts";
import { asWaiting } from "../state/run-timeout.ts";
import { resultOf, showEnded, showRunning } from "../state/run-view.ts";
import { closingError } from "../step-error.ts";
import { continueFrom } from "./continued-runs.ts";
import type { RunCompletion } from "./run-completion.ts";
import type { RunQueue } from "./run-queue.ts";
import type { RunsWaitingForFiles } from "./runs-waiting-for-files.ts";

/**
 * @throws StepwellError `too_many_requests`, `unavailable`
 * @throws DescendantLimitError
 */
export type StartRun = (run: NewRun, receipt: Receipt) => Promise<Run>;

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
  replay: Replay;
  hash: Hash;
  /** Returns a stored run. */
  show(runId: string): Promise<Run>;
  timers: Pick<DurableTimers, "set">;
  /** Maximum duration of a run in milliseconds. */
  runTimeoutMs: number;
  onEventWaitsStored: EngineHandlers["onEventWaitsStored"];
}): StartRun {
  const { store, clock, hash, compiled, queue, runs, descendants, debounce, admission, replay, show } = parts;
  const { completion, waitingForFiles, timers, runTimeoutMs, onEventWaitsStored } = parts;

  function put(run: NewRun, changes: readonly Change[], before?: RunDocument): Promise<void> {
    const commit = () => store.commit(changes);
    const root = rootOf(run);
    const isBelowAlready = root === null || root === before?.root_run_id;
    return isBelowAlready ? commit() : descendants.add(root, run.id, commit);
  }

  async function start(run: NewRun, receipt: Receipt): Promise<Run> {
    if (runs.isClosed()) throw closingError();
    const now = clock.now();
    const created = newDocument(run, instant(now));
    const version = await compiled.get(run.version);
    const plan = version.plan(indexOfStart(run.version, run.start));
    const isLimited = version.limits !== null || run.run_at !== undefined || run.priority !== undefined;
    if (!isLimited) return startContinued(run, created, plan, receipt);
    const document = withLimits(created, run, version.limits, hash, now);
    return debounce.join(
      document,
      (next, before) => storeWaiting(run, next, plan, [], receipt, before),
      () => startContinued(run, document, plan, receipt),
    );
  }

  /** Starts a run that keeps outcomes of another one. It is loaded from its journal as a resumed run is. */
  async function startContinued(run: NewRun, created: RunDocument, plan: Plan, receipt: Receipt): Promise<Run> {
    if (run.continues === undefined) return startNew(run, created, plan, receipt);
    const continued = await continueFrom({ store, replay }, created, plan, run.continues);
    return admission.decide(continued.document, async (decision) => {
      if (decision.kind === "skipped") return answerWith(decision.by, receipt);
      const queueEntry = decision.kind === "begins" ? queue.enter(decision.document) : null;
      const status = queueEntry?.hasSlot === true ? "running" : "queued";
      const document =
        queueEntry === null ? decision.document : asBegun(decision.document, status, instant(clock.now()));
      const shown = continued.show(document);
      try {
        const changes = [...decision.changes, ...continued.changes, ...receipt(shown)];
        await put(run, [putRun(document, expectedOf(run)), ...changes]);
      } catch (error) {
        queueEntry?.release();
        throw error;
      }
      if (document.due_at !== undefined) timers.set(document.due_at);
      if (queueEntry !== null) runs.enqueue(document, queueEntry);
      return shown;
    });
  }

  function startNew(run: NewRun, document: RunDocument, plan: Plan, receipt: Receipt): Promise<Run> {
    if (run.awaiting !== null) return storeWaiting(run, asNotBegun(document), plan, [], receipt);
    const begins = document.begins_at === undefined && document.admission === undefined;
    if (begins && document.concurrency === undefined) return begin(run, document, plan, [], receipt);
    return admission.decide(document, (decision) => {
      if (decision.kind === "begins") return begin(run, decision.document, plan, decision.changes, receipt);
      if (decision.kind === "waits") return storeWaiting(run, decision.document, plan, decision.changes, receipt);
      return answerWith(decision.by, receipt);
    });
  }

  /** Answers with another run, which takes the place of the new one. */
  async function answerWith(runId: string, receipt: Receipt): Promise<Run> {
    const shown: Run = { ...(await show(runId)), existing: true };
    await store.commit([...receipt(shown)]);
    return shown;
  }

  async function begin(
    run: NewRun,
    created: RunDocument,
    plan: Plan,
    changes: readonly Change[],
    receipt: Receipt,
  ): Promise<Run> {
    const progress = createProgress(plan, baseScope(created));
    const now = Date.parse(created.created_at);
    const first = progress.start(now);
    const ready = progress.isPaused() ? await drainReadyTasks(progress, plan.pace, first) : first;
    if (progress.open() === 0 || progress.failure() !== null) {
      return startEnded(run, created, plan, progress, changes, receipt);
    }

    const queueEntry = progress.waiting() === progress.open() ? null : queue.enter(created);
    const status = queueEntry === null ? "waiting" : queueEntry.hasSlot ? "running" : "queued";
    const begun: RunDocument =
      status === "waiting"
        ? asWaiting(created, runTimeoutMs, progress.wakeUps)
        : { ...created, status, started_at: status === "queued" ? null : created.started_at };
    const document = withOpenWaits(begun, plan, progress);
    const lookbacks = lookbackChanges(document, undefined);
    const shown = showRunning(document, plan, progress);
    runs.beginCreation(document.id);
    try {
      await put(run, [putRun(document, expectedOf(run)), ...lookbacks, ...changes, ...receipt(shown)]);
      if (queueEntry !== null) runs.setQueueEntry(document.id, queueEntry);
      if (status === "running" && !runs.isClosed()) {
        void runs.add({ ...NOTHING_STORED, document, plan, progress, ready }).execute();
      }
    } catch (error) {
      queueEntry?.release();
      throw error;
    } finally {
      runs.endCreation(document.id);
    }
    if (lookbacks.length > 0) onEventWaitsStored(document.id);
    if (document.due_at !== undefined) timers.set(document.due_at);
    if (queueEntry !== null && status === "queued") runs.enqueue(document, queueEntry);
    return shown;
  }

  /** Stores a run that ended without executing a step, because its steps were all evaluated at once. */
  async function startEnded(
    run: NewRun,
    created: RunDocument,
    plan: Plan,
    progress: Progress,
    earlier: readonly Change[],
    receipt: Receipt,
  ): Promise<Run> {
    const error = progress.failure();
    const end = { status: error === null ? "succeeded" : "failed", error, at: instant(clock.now()) } as const;
    const { document, changes } = foldRun(created, plan, progress, end, NOTHING_STORED.largeValues);
    const shown = showEnded(
      document,
      plan.steps.map((_, index) => resultOf(progress, index)),
    );
    await put(run, [...earlier, ...changes, putEndedRun(document, expectedOf(run)), ...receipt(shown)]);
    completion.resolve(document, () => shown);
    return shown;
  }

  /**
   * Stores a run that waits for its files, for a time or for other runs.
   * @param before The stored run whose input it replaces.
   */
  async function storeWaiting(
    run: NewRun,
    document: RunDocument,
    plan: Plan,
    changes: readonly Change[],
    receipt: Receipt,
    before?: Stored<RunDocument>,
  ): Promise<Run> {
    const waiting = showNew(document, plan);
    const shown: Run = before === undefined ? waiting : { ...waiting, existing: true };
    const change = putRun(document, before === undefined ? expectedOf(run) : before.version, before?.document);
    await put(run, [change, ...changes, ...receipt(shown)], before?.document);
    if (document.due_at !== undefined) timers.set(document.due_at);
    // A file may have been received just before the run was stored.
    if (document.awaiting !== undefined) await waitingForFiles.check(document.id);
    return shown;
  }

  return start;
}

const showNew = (document: RunDocument, plan: Plan): Run =>
  showRunning(document, plan, createProgress(plan, baseScope(document)));

const asNotBegun = (document: RunDocument): RunDocument => ({ ...document, status: "waiting", started_at: null });

/** A run whose id is derived may exist already if the process crashed after starting it; `null` makes the commit check that. */
const expectedOf = ({ parent, hasDerivedId }: NewRun) =>
  parent === null && hasDerivedId === undefined ? undefined : null;

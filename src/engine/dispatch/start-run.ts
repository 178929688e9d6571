/** Starts a run: stored first, then carried out at once, or when its turn or its files have come. */

import type { Receipt } from "../../documents/receipt.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Change, Store } from "../../ports/store.ts";
import type { Run } from "../../runs/run.ts";
import type { NewRun } from "../../runs/run-executor.ts";
import { instant } from "../../time/iso.ts";
import type { Plan } from "../compile/compile.ts";
import type { VersionCache } from "../compile/version-cache.ts";
import type { Execution, LoadedRun } from "../execution/execution-types.ts";
import { createProgress, type Progress } from "../state/progress.ts";
import { baseScope, indexOfStart } from "../state/replay.ts";
import {
  foldRun,
  newDocument,
  putEndedRun,
  putRun,
  type RunDocument,
  showEnded,
  showRunning,
} from "../state/run-document.ts";
import { asWaiting } from "../state/run-timeout.ts";
import { closingError } from "../step-error.ts";
import type { DescendantLimit } from "./descendant-limit.ts";
import { drainReadySteps } from "./event-loop-turns.ts";
import type { RunCompletion } from "./run-completion.ts";
import type { RunQueue, Slot } from "./run-queue.ts";
import type { RunSlots } from "./run-slots.ts";

/**
 * @throws StepwellError `too_many_requests`, `unavailable`
 * @throws StepError `descendant_limit`
 */
export type StartRun = (run: NewRun, receipt: Receipt) => Promise<Run>;

export function createStartRun(parts: {
  store: Store;
  clock: Clock;
  compiled: VersionCache;
  queue: RunQueue;
  slots: RunSlots;
  descendants: DescendantLimit;
  waiters: RunCompletion;
  /** Milliseconds that a run may take. */
  runTime: number;
  /** Filled with runs that are stored a moment before they are in memory. */
  starting: Set<string>;
  execute(found: LoadedRun): Execution;
  /** A stored run begins, now or when its slot is admitted. */
  proceed(document: RunDocument, slot: Slot): void;
  isClosed(): boolean;
  /** Settles once it is known whether runs may begin; null when it is. Rejects when the storage does not answer. */
  untilPlanned(): Promise<void> | null;
  /** Asks to be woken at this moment. */
  wake(moment: string): void;
  /** Looks whether the files that a run waits for have come. */
  look(runId: string): Promise<void>;
}): StartRun {
  const { store, clock, compiled, queue, slots, descendants, waiters, runTime, starting, execute, proceed, isClosed } =
    parts;
  const { untilPlanned, wake, look } = parts;

  function put({ id, parent }: NewRun, changes: readonly Change[]): Promise<void> {
    const commit = () => store.commit(changes);
    return parent === null ? commit() : descendants.add(parent.root_run_id, id, commit);
  }

  async function start(run: NewRun, receipt: Receipt): Promise<Run> {
    const planned = untilPlanned();
    if (planned !== null) await planned;
    if (isClosed()) throw closingError();
    const now = clock.now();
    const begun = newDocument(run, instant(now));
    const plan = (await compiled.get(run.version)).plan(indexOfStart(run.version, run.start));
    const progress = createProgress(plan, baseScope(begun));
    // The id of a child is not new: it may have been started before a crash.
    const expected = run.parent === null ? {} : { expected: null };
    if (run.awaiting !== null)
      return startWaitingForFiles({ ...begun, status: "waiting", started_at: null }, plan, progress, receipt);
    const first = progress.begin(now);
    const ready = progress.isPaused() ? await drainReadySteps(progress, plan.pace, first) : first;

    if (progress.open() === 0 || progress.failure() !== null) {
      const status = progress.failure() === null ? "succeeded" : "failed";
      const end = { status, error: progress.failure(), at: instant(clock.now()) } as const;
      const { document, changes } = foldRun(begun, plan, progress, end, new Set());
      const answer = showEnded(
        document,
        plan.steps.map((_, index) => progress.state(index)?.output ?? null),
      );
      await put(run, [...changes, { ...putEndedRun(document, undefined), ...expected }, ...receipt(answer)]);
      waiters.tell(document.id, () => answer);
      return answer;
    }
    const slot = progress.waiting() === progress.open() ? null : queue.enter(begun);
    const status = slot === null ? "waiting" : slot.isAdmitted ? "running" : "queued";
    const document: RunDocument =
      status === "waiting"
        ? asWaiting(begun, runTime, progress.moments)
        : { ...begun, status, started_at: status === "queued" ? null : begun.started_at };
    const answer = showRunning(document, plan, progress);
    starting.add(document.id);
    try {
      await put(run, [{ ...putRun(document, undefined), ...expected }, ...receipt(answer)]);
      if (slot !== null) slots.assign(document.id, slot);
      if (status === "running" && !isClosed()) {
        void execute({
          document,
          version: 1,
          plan,
          progress,
          records: 0,
          parts: new Map(),
          values: new Set(),
          ready,
        }).begin();
      }
    } catch (error) {
      slot?.release();
      throw error;
    } finally {
      starting.delete(document.id);
    }
    if (document.due_at !== undefined) wake(document.due_at);
    if (slot !== null && status === "queued") proceed(document, slot);
    return answer;
  }

  async function startWaitingForFiles(
    document: RunDocument,
    plan: Plan,
    progress: Progress,
    receipt: Receipt,
  ): Promise<Run> {
    const answer = showRunning(document, plan, progress);
    await store.commit([putRun(document, undefined), ...receipt(answer)]);
    if (document.due_at !== undefined) wake(document.due_at);
    // A file may have come just before anybody was known to wait for it.
    await look(document.id);
    return answer;
  }

  return start;
}

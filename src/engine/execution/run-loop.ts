/** The loop of one run in memory: stores outcomes and starts the steps that follow from its progress. */
import { isStepwellError, type StepwellError } from "../../errors.ts";
import { runKey } from "../../runs/run-rows.ts";
import { instant } from "../../time/iso.ts";
import type { ExitReason } from "../engine-events.ts";
import { createRunEventEmitter } from "../events/run-event-emitter.ts";
import { type Outcome, outcomeOfWait } from "../progress/step-state.ts";
import type { Task } from "../progress/task.ts";
import { countEventsBeforeRetry } from "../state/run-document.ts";
import { deadlineOf, timeoutError } from "../state/run-timeout.ts";
import { asStorageFailure, CANCELED, closingError, STOPPED } from "../step-error.ts";
import { createCommitObservers } from "./commit-observers.ts";
import {
  afterStoring,
  canStore,
  type ExecutionState,
  endOf,
  isOver,
  isStoring,
  onlyWaits,
  type RunEnd,
  transition,
} from "./execution-state.ts";
import type { ExecutionContext, LoadedRun, RunLoop } from "./execution-types.ts";
import { createOpenChildren } from "./open-children.ts";
import { createParentEviction } from "./parent-eviction.ts";
import { createPendingOutcomes } from "./pending-outcomes.ts";
import { createRunWriter, type OpenStatus } from "./run-writer.ts";
import { isFailedItem, settleOutcomes } from "./settle-outcomes.ts";
import type { AwaitedChild, WakeUp } from "./step-context.ts";
import { createStepRunner } from "./step-runner.ts";
import { createSubsteps } from "./substeps.ts";
import { createWaitTimers } from "./wait-timers.ts";
import { createWaitingTasks } from "./waiting-tasks.ts";

export function createRunLoop(loaded: LoadedRun, context: ExecutionContext): RunLoop {
  const { clock, logger, effects, bus, runTimeoutMs, isAppDeleted, takeSlot, handlers } = context;
  const { document, plan, progress } = loaded;
  const { id } = document;
  /** Tasks to start next. */
  let { ready } = loaded;
  let state: ExecutionState = "loaded";
  let requestedEnd: RunEnd | null = null;
  /** Why memory holds changes that could not be stored, or null. */
  let unstored: StepwellError | null = null;
  let isOutdated = false;
  let hasSlot = false;
  const commits = createCommitObservers();
  const pending = createPendingOutcomes();
  const substeps = createSubsteps(loaded.substeps, storeIfIdle);
  const writer = createRunWriter(loaded, substeps, context);
  const waitTimers = createWaitTimers({
    ...{ clock, progress, onWakeUp },
    deadline: () => deadlineOf(writer.document(), runTimeoutMs),
    onDeadline: (deadline) => requestEnd({ status: "failed", error: timeoutError(writer.document(), deadline) }),
    onTimer: () => void executeDueTasks(),
  });
  const eventsBeforeRetry = countEventsBeforeRetry(document);
  const emitter = createRunEventEmitter({ runId: id, plan, progress, bus, eventsBeforeRetry });
  const openChildren = createOpenChildren(document.unneeded);
  const shared = { document, plan, progress, effects, clock, logger, substeps, openChildren, emitter };
  const runner = createStepRunner({ ...shared, mayBegin, onTaskSettled, onAwaitChild: () => eviction.schedule() });
  const eviction = createParentEviction({
    ...{ clock, progress, runner },
    isQuiet: () => canStore(state) && !hasChanges() && ready.length === 0,
    storeWaiting: (children) => storeStatus("waiting", children),
    isStoredAsWaiting: () => writer.document().status === "waiting",
    evict: () => exitWaiting(),
  });

  const hasChanges = () => !pending.isEmpty() || substeps.hasUnstored() || requestedEnd !== null;
  /** Whether nothing is executing and all open steps wait for input or a time. */
  const isIdle = () => runner.isDone() && pending.isEmpty() && requestedEnd === null && onlyWaits(progress);

  function onTaskSettled(task: Task, outcome: Outcome): void {
    if (isOver(state)) return;
    pending.add(task, outcome);
    storeIfIdle();
  }

  /** The purge of a deleted app cancels its runs one by one. Until then, none of them begins anything. */
  function mayBegin(): boolean {
    if (!isAppDeleted(document.app_id)) return true;
    requestEnd({ status: "canceled", error: null });
    return false;
  }

  function onWakeUp(task: Task, wakeUp: WakeUp): void {
    if (pending.has(task)) return;
    if (wakeUp.kind === "settle") onTaskSettled(task, outcomeOfWait(clock.now(), wakeUp.output));
    else if (wakeUp.kind === "fail") onTaskSettled(task, outcomeOfWait(clock.now(), null, wakeUp.error));
    else ready = [...ready, progress.wake(task)];
  }

  /** Whether tasks are ready although the run is stored as waiting. */
  const isWokenUp = () => ready.length > 0 && writer.document().status === "waiting";

  async function executeDueTasks(): Promise<void> {
    waitTimers.check();
    if (canStore(state) && isWokenUp()) await storeStatus(activeStatus());
    if (!canStore(state) || hasChanges()) return;
    if (writer.document().status === "queued") exitQueued();
    else startReadyTasks();
  }

  function requestEnd(end: RunEnd): void {
    requestedEnd ??= end;
    runner.stop(CANCELED);
    storeIfIdle();
  }

  function storeIfIdle(): void {
    if (canStore(state)) void storeChanges();
  }

  /**
   * The only place that changes the state. When nothing more of the run is stored here, it also settles everything that
   * waits for a commit.
   * @param error Rejects pending requests; null hands them back to be decided by the stored run.
   */
  function enter(next: ExecutionState, error: StepwellError | null = isOver(next) ? closingError() : null): void {
    state = transition(state, next);
    if (!isOver(next)) return;
    if (error !== null && (next === "detached" || !pending.isEmpty())) unstored ??= error;
    pending.close(error);
    commits.notify();
  }

  /** Stores outcomes and starts the steps that follow, until nothing is left to store. */
  async function storeChanges(): Promise<void> {
    enter("storing");
    try {
      while (!isOver(state) && hasChanges()) {
        // Outcomes of other items that end in the same turn as the item that fails the step are stored, too.
        if (pending.waiting().some(isFailedItem)) await plan.pace.nextTurn();
        const { settled, entries, next, dropped } = await settleOutcomes(
          pending.waiting(),
          progress,
          plan.pace,
          substeps,
        );
        pending.markSettled(settled);
        runner.drop(dropped);
        if (isOver(state)) return;
        const end = endOf(requestedEnd, progress);
        if (end !== null) {
          runner.stop(CANCELED);
          await writer.end(end, openChildren.all());
          pending.markStored();
          emitter.emitRunEnd(instant(clock.now()), writer.show);
          return exit({ kind: "ended", document: writer.document(), show: writer.show });
        }
        // The next process doesn't resume a run that only waits.
        await writer.record(entries, onlyWaits(progress) ? "waiting" : activeStatus(), openChildren.unneeded());
        pending.markStored();
        handlers.onOutcomeStored(id);
        commits.notify();
        emitter.emitSettledSteps(instant(clock.now()));
        if (isOver(state)) return;
        ready = [...ready, ...next];
        waitTimers.check();
        if (isWokenUp()) await writer.putStatus(activeStatus());
        if (isOver(state)) return;
        if (writer.document().status === "queued") {
          if (!hasChanges()) return exitQueued();
          continue;
        }
        if (requestedEnd === null) startReadyTasks();
        if (isIdle()) return exitWaiting();
      }
    } catch (error) {
      exitAfterFailure(error);
    } finally {
      stopStoring();
    }
  }

  /** Stores a new status: a queued run got a slot, or a resumed run only waits. */
  async function storeStatus(status: OpenStatus, children?: readonly AwaitedChild[]): Promise<void> {
    enter("storing");
    try {
      await writer.putStatus(status, children);
    } catch (error) {
      exitAfterFailure(error);
    } finally {
      stopStoring();
    }
    if (canStore(state) && hasChanges()) await storeChanges();
  }

  function stopStoring(): void {
    const next = afterStoring(state);
    if (next !== state) enter(next);
    commits.notify();
  }

  /** Starts ready tasks. A loaded run may have some that have not started when input or a wake-up arrives. */
  function startReadyTasks(): void {
    const tasks = ready;
    ready = [];
    runner.start(tasks);
  }

  /** The status of a run that doesn't only wait. It keeps its slot, or is queued if it gets none. */
  function activeStatus(): "running" | "queued" {
    hasSlot ||= takeSlot(writer.document());
    return hasSlot ? "running" : "queued";
  }

  /** The stored state is correct and the run resumes from it; memory is discarded. */
  function exitAfterFailure(error: unknown): void {
    isOutdated = isStepwellError(error, "conflict") && error.key === runKey(id);
    if (isOutdated) exit({ kind: "changed" });
    else {
      logger.error("could not store a run; it resumes when the storage recovers", { run: id, error });
      unstored = asStorageFailure(error);
      exit({ kind: "storage_failed", error: unstored });
    }
  }

  const exitWaiting = () => exit({ kind: "waiting", document: writer.document() });
  const exitQueued = () => exit({ kind: "queued", document: writer.document() });

  function exit(reason: ExitReason): void {
    enter("exited", reason.kind === "storage_failed" ? reason.error : null);
    runner.stop(STOPPED);
    waitTimers.stop();
    eviction.cancel();
    handlers.onRunExit(id, reason);
  }

  async function execute(): Promise<void> {
    // If a writer is storing now, it starts the steps next.
    if (state !== "loaded") return;
    enter("executing");
    const status = activeStatus();
    if (status === "queued" || document.status === "queued") {
      if (status !== document.status) await storeStatus(status);
      if (status === "queued" && canStore(state) && !hasChanges()) exitQueued();
      if (status === "queued" || isOver(state)) return;
    }
    waitTimers.check();
    if ((isWokenUp() || !writer.hasStoredWaits()) && canStore(state)) await storeStatus(status);
    if (isOver(state)) return;
    // A retried run may have nothing left to execute: it was canceled while its last outcome was being stored.
    const end = endOf(requestedEnd, progress);
    if (end === null) startReadyTasks();
    else requestEnd(end);
    if (!canStore(state) || !isIdle()) return;
    if (!writer.isStoredAsWaiting()) await storeStatus("waiting");
    if (canStore(state) && isIdle()) exitWaiting();
  }

  async function interrupt(): Promise<void> {
    if (state === "storing") enter("detached");
    else if (canStore(state) && runner.size() > 0) await markInterrupted();
    else if (canStore(state)) enter("suspended");
    runner.stop(STOPPED);
  }

  /** Outcomes that arrive meanwhile are not stored. */
  async function markInterrupted(): Promise<void> {
    enter("storing");
    await writer.markInterrupted().catch(exitAfterFailure);
    if (!isOver(state)) enter("suspended");
  }

  return {
    state: () => state,
    commits,
    document: writer.document,
    unstored: () => unstored,
    isOutdated: () => isOutdated,
    read: () =>
      unstored === null && !isOutdated ? { run: writer.show(), order: [...progress.order], eventsBeforeRetry } : null,
    execute,
    requestEnd,
    ...createWaitingTasks({
      ...shared,
      pending,
      retries: () => document.retries ?? 0,
      onRequested: storeIfIdle,
    }),
    evictIfIdle() {
      const canEvict = writer.document().status === "waiting" && canStore(state) && isIdle();
      if (canEvict) exitWaiting();
      return canEvict;
    },
    stopStarting() {
      writer.stopRetrying();
      runner.stopStarting();
      waitTimers.stop();
      eviction.cancel();
    },
    isWorking: () => isStoring(state) || runner.isWorking(),
    interrupt,
  };
}

/** The loop of one run in memory: stores outcomes and starts the steps that follow from its progress. */

import { isStepwellError, StepwellError } from "../../errors.ts";
import type { JsonValue } from "../../json.ts";
import { instant } from "../../time/iso.ts";
import type { ExitReason } from "../engine-events.ts";
import { createRunEventEmitter } from "../events/run-event-emitter.ts";
import type { JournalEntry } from "../state/journal.ts";
import { countEventsBeforeRetry } from "../state/run-document.ts";
import { deadlineOf, timeoutError } from "../state/run-timeout.ts";
import type { Outcome } from "../state/step-state.ts";
import { closingError, STOPPED, StepError } from "../step-error.ts";
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
import { type ActiveStatus, createRunWriter } from "./run-writer.ts";
import { settleOutcomes } from "./settle-outcomes.ts";
import { createStepRunner } from "./step-runner.ts";
import { createSubsteps } from "./substeps.ts";
import { createWaitTimers } from "./wait-timers.ts";

const CANCELED = new StepError("canceled", "The run was canceled.");

export function createRunLoop(loaded: LoadedRun, context: ExecutionContext): RunLoop {
  const { clock, logger, effects, bus, runTimeoutMs, takeSlot, handlers } = context;
  const { document, plan, progress } = loaded;
  const { id } = document;
  /** Steps to start next. */
  let { ready } = loaded;
  let state: ExecutionState = "loaded";
  /** Outcomes that are not stored yet. */
  let pending: JournalEntry[] = [];
  let requestedEnd: RunEnd | null = null;
  /** Why memory holds changes that could not be stored, or null. */
  let unstored: StepwellError | null = null;
  let hasSlot = false;
  const commits = createCommitObservers();
  const substeps = createSubsteps(loaded.substeps, storeIfIdle);
  const writer = createRunWriter(loaded, substeps, context);
  const waitTimers = createWaitTimers({
    clock,
    progress,
    deadline: () => deadlineOf(writer.document(), runTimeoutMs),
    onDeadline: (deadline) => requestEnd({ status: "failed", error: timeoutError(writer.document(), deadline) }),
    onWakeUp: (index, { output }) => settleWaitingStep(index, output),
  });
  const eventsBeforeRetry = countEventsBeforeRetry(document);
  const emitter = createRunEventEmitter({ runId: id, plan, progress, bus, eventsBeforeRetry });
  const shared = { document, plan, progress, effects, clock, logger, substeps, emitter };
  const runner = createStepRunner({ ...shared, onStepSettled });

  const now = () => instant(clock.now());
  const hasNews = () => pending.length > 0 || substeps.hasUnstored() || requestedEnd !== null;
  /** Whether nothing is executing and all open steps wait for input or a time. */
  const isIdle = () => runner.isDone() && pending.length === 0 && requestedEnd === null && onlyWaits(progress);

  function onStepSettled(index: number, outcome: Outcome): void {
    if (isOver(state)) return;
    pending.push({ index, outcome });
    storeIfIdle();
  }

  const isWaiting = (index: number) =>
    progress.state(index)?.status === "waiting" && !pending.some((entry) => entry.index === index);

  function settleWaitingStep(index: number, output: JsonValue): void {
    if (!isWaiting(index)) return;
    const now = clock.now();
    onStepSettled(index, { output, error: null, attempts: 1, started_at: now, finished_at: now });
  }

  function requestEnd(end: RunEnd): void {
    requestedEnd ??= end;
    runner.stop(CANCELED);
    storeIfIdle();
  }

  function storeIfIdle(): void {
    if (canStore(state)) void storeNews();
  }

  /** Stores outcomes and starts the steps that follow, until nothing is left to store. */
  async function storeNews(): Promise<void> {
    state = transition(state, "storing");
    try {
      while (!isOver(state) && hasNews()) {
        // Entries stay pending until all have settled, so that a waiting step cannot settle twice.
        const settled = await settleOutcomes(pending, progress, plan.pace, substeps);
        pending = pending.slice(settled.entries.length);
        if (isOver(state)) {
          unstored ??= closingError();
          return;
        }
        const end = endOf(requestedEnd, progress);
        if (end !== null) {
          runner.stop(CANCELED);
          await writer.end(end);
          emitter.emitRunEnd(now(), writer.show);
          return exit({ kind: "ended", show: writer.show });
        }
        // The next process doesn't resume a run that only waits.
        await writer.record(settled.entries, onlyWaits(progress) ? "waiting" : activeStatus());
        handlers.onOutcomeStored(id);
        commits.notify();
        emitter.emitSettledSteps(now());
        if (isOver(state)) return;
        ready = [...ready, ...settled.next];
        if (writer.document().status === "queued") {
          if (!hasNews()) return exitQueued();
          continue;
        }
        startReadySteps();
        waitTimers.check();
        if (isIdle()) return exitWaiting();
      }
    } catch (error) {
      giveUp(error);
    } finally {
      stopStoring();
    }
  }

  /** Stores a new status: a queued run got a slot, or a resumed run only waits. */
  async function storeStatus(status: ActiveStatus): Promise<void> {
    state = transition(state, "storing");
    try {
      await writer.putStatus(status);
    } catch (error) {
      giveUp(error);
    } finally {
      stopStoring();
    }
    if (canStore(state) && hasNews()) await storeNews();
  }

  function stopStoring(): void {
    state = afterStoring(state);
    commits.notify();
  }

  /** Starts ready steps. A loaded run may have some that have not started when input or a wake-up arrives. */
  function startReadySteps(): void {
    const steps = ready;
    ready = [];
    runner.start(steps);
  }

  /** The status of a run that doesn't only wait. It keeps its slot, or is queued if it gets none. */
  function activeStatus(): "running" | "queued" {
    hasSlot ||= takeSlot(writer.document());
    return hasSlot ? "running" : "queued";
  }

  /**
   * Evicts the run after a storage failure. The stored state is correct and the run resumes from it; memory is
   * discarded.
   */
  function giveUp(error: unknown): void {
    runner.stop(STOPPED);
    logger.error("could not store a run; it resumes at the next start", { run: id, error });
    unstored = isStepwellError(error)
      ? error
      : new StepwellError("internal", "The run stopped on an internal error. The log has the cause.", { cause: error });
    exit({ kind: "lost", error: unstored });
  }

  const exitWaiting = () => exit({ kind: "waiting", due: writer.document().due_at });
  const exitQueued = () => exit({ kind: "queued", document: writer.document() });

  function exit(reason: ExitReason): void {
    state = transition(state, "exited");
    waitTimers.stop();
    handlers.onRunExit(id, reason);
  }

  async function execute(): Promise<void> {
    // If a writer is storing now, it starts the steps next.
    if (state !== "loaded") return;
    state = transition(state, "executing");
    const status = activeStatus();
    if (status === "queued" || document.status === "queued") {
      if (status !== document.status) await storeStatus(status);
      if (status === "queued" && canStore(state) && !hasNews()) exitQueued();
      if (status === "queued" || isOver(state)) return;
    }
    waitTimers.check();
    if (requestedEnd === null) startReadySteps();
    if (isStoring(state) || !isIdle()) return;
    if (!writer.isStoredAsWaiting()) await storeStatus("waiting");
    if (canStore(state) && isIdle()) exitWaiting();
  }

  async function interrupt(): Promise<void> {
    if (state === "storing") state = transition(state, "detached");
    else if (canStore(state)) {
      if (runner.isBusy()) await markInterrupted();
      else state = transition(state, "suspended");
    }
    runner.stop(STOPPED);
  }

  /** Outcomes that arrive meanwhile are no longer stored. */
  async function markInterrupted(): Promise<void> {
    state = transition(state, "storing");
    await writer.markInterrupted().catch(giveUp);
    if (pending.length > 0) unstored ??= closingError();
    if (!isOver(state)) state = transition(state, "suspended");
    commits.notify();
  }

  return {
    state: () => state,
    commits,
    document: writer.document,
    unstored: () => unstored,
    read: () => (unstored === null ? { run: writer.show(), order: [...progress.order], eventsBeforeRetry } : null),
    execute,
    requestEnd,
    isWaiting,
    settleWaitingStep,
    leaveIfIdle() {
      const isLeaving = writer.document().status === "waiting" && canStore(state) && isIdle();
      if (isLeaving) exitWaiting();
      return isLeaving;
    },
    hold() {
      writer.hurry();
      runner.hold();
      waitTimers.stop();
    },
    isAtWork: () => isStoring(state) || runner.isAtWork(),
    interrupt,
  };
}

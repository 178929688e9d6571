/** The loop of one run in memory: stores outcomes and starts the steps that follow from its progress. */
import { instant } from "../../time/iso.ts";
import type { Plan } from "../compile/plan.ts";
import type { ExitReason } from "../engine-events.ts";
import { RunEventEmitter } from "../events/run-event-emitter.ts";
import type { Progress } from "../progress/progress.ts";
import { type Outcome, outcomeOfWait } from "../progress/step-state.ts";
import type { Task } from "../progress/task.ts";
import { countEventsBeforeRetry, type RunDocument } from "../state/run-document.ts";
import { deadlineOf, timeoutError } from "../state/run-timeout.ts";
import { CANCELED, STOPPED } from "../step-error.ts";
import { endOf, onlyWaits, type RunEnd } from "./execution-state.ts";
import type { ExecutionContext, LoadedRun } from "./execution-types.ts";
import { type EvictableParent, ParentEviction } from "./parent-eviction.ts";
import { RunLifecycle } from "./run-lifecycle.ts";
import { type OpenStatus, RunWriter } from "./run-writer.ts";
import { isFailedItem, settleOutcomes } from "./settle-outcomes.ts";
import type { AwaitedChild, WakeUp } from "./step-context.ts";
import { OpenChildren } from "./tasks/open-children.ts";
import { StepRunner, type StepRunnerOwner } from "./tasks/step-runner.ts";
import { Substeps } from "./tasks/substeps.ts";
import { WaitTimers, type WaitTimersOwner } from "./wait-timers.ts";
import { WaitingTasks, type WaitingTasksOwner } from "./waiting-tasks.ts";

/**
 * A class, as are its parts: each run has one of each, and closures for all their functions would be most of what a run
 * allocates.
 */
export class RunLoop implements EvictableParent, StepRunnerOwner, WaitTimersOwner, WaitingTasksOwner {
  readonly lifecycle = new RunLifecycle();
  /** As loaded. */
  readonly document: RunDocument;
  readonly plan: Plan;
  readonly progress: Progress;
  readonly substeps: Substeps;
  readonly openChildren: OpenChildren;
  readonly emitter: RunEventEmitter;
  readonly runner: StepRunner;
  private readonly context: ExecutionContext;
  readonly writer: RunWriter;
  private readonly waitTimers: WaitTimers;
  readonly eventsBeforeRetry: number;
  private parentEviction: ParentEviction | undefined;
  private waiting: WaitingTasks | undefined;
  /** Tasks to start next. */
  private ready: readonly Task[];
  private requestedEnd: RunEnd | null = null;
  private hasSlot = false;

  constructor(loaded: LoadedRun, context: ExecutionContext) {
    const { document, plan, progress, ready } = loaded;
    this.context = context;
    this.document = document;
    this.plan = plan;
    this.progress = progress;
    this.ready = ready;
    this.eventsBeforeRetry = countEventsBeforeRetry(document);
    this.substeps = new Substeps(loaded.substeps, () => this.storeIfIdle());
    this.openChildren = new OpenChildren(document.unneeded);
    this.emitter = new RunEventEmitter(document.id, plan, progress, context.bus, this.eventsBeforeRetry);
    this.writer = new RunWriter(loaded, this.substeps, context);
    this.runner = new StepRunner(this, document, context);
    this.waitTimers = new WaitTimers(context.clock, progress, this);
  }

  /** The tasks that callers and events settle. */
  get waitingTasks(): WaitingTasks {
    this.waiting ??= new WaitingTasks(this, this.context);
    return this.waiting;
  }

  /** Starts executing. Further calls do nothing. */
  async execute(): Promise<void> {
    // If a writer is storing now, it starts the steps next.
    if (!this.lifecycle.is("loaded")) return;
    this.lifecycle.enter("executing");
    const { document, writer } = this;
    const status = this.activeStatus();
    if (status === "queued" || document.status === "queued") {
      if (status !== document.status) await this.storeStatus(status);
      if (status === "queued" && this.lifecycle.canStore() && !this.hasChanges()) this.exitAs("queued");
      if (status === "queued" || this.lifecycle.isOver()) return;
    }
    this.waitTimers.check();
    if ((this.isWokenUp() || !writer.hasStoredWaits()) && this.lifecycle.canStore()) await this.storeStatus(status);
    if (this.lifecycle.isOver()) return;
    // A retried run may have nothing left to execute: it was canceled while its last outcome was being stored.
    const end = endOf(this.requestedEnd, this.progress);
    if (end === null) this.startReadyTasks();
    else this.requestEnd(end);
    if (!this.lifecycle.canStore() || !this.isIdle()) return;
    if (!writer.isStoredAsWaiting()) await this.storeStatus("waiting");
    if (this.lifecycle.canStore() && this.isIdle()) this.exitAs("waiting");
  }

  requestEnd(end: RunEnd): void {
    this.requestedEnd ??= end;
    this.runner.stop(CANCELED);
    this.storeIfIdle();
  }

  /** Evicts the run if it only waits. Returns whether it did. */
  evictIfIdle(): boolean {
    const canEvict = this.isStoredAsWaiting() && this.lifecycle.canStore() && this.isIdle();
    if (canEvict) this.exitAs("waiting");
    return canEvict;
  }

  /** Starts no further steps and doesn't retry commits. */
  stopStarting(): void {
    this.writer.stopRetrying();
    this.runner.stopStarting();
    this.waitTimers.stop();
    this.parentEviction?.cancel();
  }

  /** Stores that a closing process interrupts the run. */
  async markInterrupted(): Promise<void> {
    this.lifecycle.enter("storing");
    await this.writer.markInterrupted().catch((error) => this.exitAfterFailure(error));
    if (!this.lifecycle.isOver()) this.lifecycle.enter("suspended");
  }

  onTaskSettled(task: Task, outcome: Outcome): void {
    if (this.lifecycle.isOver()) return;
    this.lifecycle.pending.add(task, outcome);
    this.storeIfIdle();
  }

  /** The purge of a deleted app cancels its runs one by one. Until then, none of them begins anything. */
  mayBegin(): boolean {
    if (!this.context.isAppDeleted(this.document.app_id)) return true;
    this.requestEnd({ status: "canceled", error: null });
    return false;
  }

  onAwaitChild(): void {
    this.parentEviction ??= new ParentEviction(this, this.context.clock);
    this.parentEviction.schedule();
  }

  onWakeUp(task: Task, wakeUp: WakeUp): void {
    if (this.lifecycle.pending.has(task)) return;
    const now = this.context.clock.now();
    if (wakeUp.kind === "settle") this.onTaskSettled(task, outcomeOfWait(now, wakeUp.output));
    else if (wakeUp.kind === "fail") this.onTaskSettled(task, outcomeOfWait(now, null, wakeUp.error));
    else this.ready = [...this.ready, this.progress.wake(task)];
  }

  deadline(): number | null {
    return deadlineOf(this.writer.document(), this.context.runTimeoutMs);
  }

  onDeadline(deadline: number): void {
    this.requestEnd({ status: "failed", error: timeoutError(this.writer.document(), deadline) });
  }

  async onTimer(): Promise<void> {
    this.waitTimers.check();
    if (this.lifecycle.canStore() && this.isWokenUp()) await this.storeStatus(this.activeStatus());
    if (!this.lifecycle.canStore() || this.hasChanges()) return;
    if (this.writer.document().status === "queued") this.exitAs("queued");
    else this.startReadyTasks();
  }

  isQuiet(): boolean {
    return this.lifecycle.canStore() && !this.hasChanges() && this.ready.length === 0;
  }

  isStoredAsWaiting(): boolean {
    return this.writer.document().status === "waiting";
  }

  private hasChanges(): boolean {
    return !this.lifecycle.pending.isEmpty() || this.substeps.hasUnstored() || this.requestedEnd !== null;
  }

  /** Whether nothing is executing and all open steps wait for input or a time. */
  private isIdle(): boolean {
    return (
      this.runner.isDone() && this.lifecycle.pending.isEmpty() && this.requestedEnd === null && onlyWaits(this.progress)
    );
  }

  /** Whether tasks are ready although the run is stored as waiting. */
  private isWokenUp(): boolean {
    return this.ready.length > 0 && this.isStoredAsWaiting();
  }

  storeIfIdle(): void {
    if (this.lifecycle.canStore()) void this.storeChanges();
  }

  /** Stores outcomes and starts the steps that follow, until nothing is left to store. */
  private async storeChanges(): Promise<void> {
    const { lifecycle, progress, substeps, runner, writer, openChildren } = this;
    const { pending } = lifecycle;
    const { pace } = this.plan;
    lifecycle.enter("storing");
    try {
      while (!this.lifecycle.isOver() && this.hasChanges()) {
        // Outcomes of other items that end in the same turn as the item that fails the step are stored, too.
        if (pending.waiting().some(isFailedItem)) await pace.nextTurn();
        const { settled, entries, next, dropped } = await settleOutcomes(pending.waiting(), progress, pace, substeps);
        pending.markSettled(settled);
        runner.drop(dropped);
        if (this.lifecycle.isOver()) return;
        const end = endOf(this.requestedEnd, progress);
        if (end !== null) {
          runner.stop(CANCELED);
          await writer.end(end, openChildren.all(), pending.changes());
          return this.exitEnded();
        }
        // The next process doesn't resume a run that only waits.
        const status = onlyWaits(progress) ? "waiting" : this.activeStatus();
        await writer.record(entries, status, openChildren.unneeded(), pending.changes());
        this.onStored();
        if (this.lifecycle.isOver()) return;
        this.ready = [...this.ready, ...next];
        this.waitTimers.check();
        if (this.isWokenUp()) await writer.putStatus(this.activeStatus());
        if (this.lifecycle.isOver()) return;
        if (writer.document().status === "queued") {
          if (!this.hasChanges()) return this.exitAs("queued");
          continue;
        }
        if (this.requestedEnd === null) this.startReadyTasks();
        if (this.isIdle()) return this.exitAs("waiting");
      }
    } catch (error) {
      await writer.storeHeld().catch(() => undefined); // the first error says why
      this.exitAfterFailure(error);
    } finally {
      this.lifecycle.stopStoring();
    }
  }

  private onStored(): void {
    this.lifecycle.pending.markStored();
    this.context.handlers.onOutcomeStored(this.document.id);
    this.lifecycle.commits.notify();
    this.emitter.emitSettledSteps(instant(this.context.clock.now()));
  }

  /** Stores a new status: a queued run got a slot, or a resumed run only waits. */
  async storeStatus(status: OpenStatus, children?: readonly AwaitedChild[]): Promise<void> {
    this.lifecycle.enter("storing");
    try {
      await this.writer.putStatus(status, children);
    } catch (error) {
      this.exitAfterFailure(error);
    } finally {
      this.lifecycle.stopStoring();
    }
    if (this.lifecycle.canStore() && this.hasChanges()) await this.storeChanges();
  }

  /** Starts ready tasks. A loaded run may have some that have not started when input or a wake-up arrives. */
  private startReadyTasks(): void {
    const tasks = this.ready;
    this.ready = [];
    this.runner.start(tasks);
  }

  /** The status of a run that doesn't only wait. It keeps its slot, or is queued if it gets none. */
  private activeStatus(): "running" | "queued" {
    this.hasSlot ||= this.context.takeSlot(this.writer.document());
    return this.hasSlot ? "running" : "queued";
  }

  private exitAfterFailure(error: unknown): void {
    // Another process may have taken over during the commit.
    if (this.lifecycle.is("exited")) return;
    const { id } = this.document;
    const reason = this.lifecycle.fail(id, error);
    if (reason.kind === "storage_failed")
      this.context.logger.error("could not store a run; it resumes when the storage recovers", { run: id, error });
    this.exit(reason);
  }

  private exitEnded(): void {
    const show = () => this.writer.show();
    this.lifecycle.pending.markStored();
    this.emitter.emitRunEnd(instant(this.context.clock.now()), show);
    this.exit({ kind: "ended", document: this.writer.document(), show });
  }

  exitAs(kind: "waiting" | "queued"): void {
    this.exit({ kind, stored: this.writer.storedRun() });
  }

  exit(reason: ExitReason): void {
    this.lifecycle.enter("exited", reason.kind === "storage_failed" ? reason.error : null);
    this.runner.stop(STOPPED);
    this.waitTimers.stop();
    this.parentEviction?.cancel();
    this.context.handlers.onRunExit(this.document.id, reason);
  }
}

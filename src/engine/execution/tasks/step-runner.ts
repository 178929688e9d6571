/** Executes the tasks of one run, at most 100 at once. */

import type { Clock } from "../../../ports/clock.ts";
import { instant } from "../../../time/iso.ts";
import type { Plan } from "../../compile/plan.ts";
import type { RunEventEmitter } from "../../events/run-event-emitter.ts";
import type { Progress } from "../../progress/progress.ts";
import type { Outcome } from "../../progress/step-state.ts";
import { type Task, taskName } from "../../progress/task.ts";
import type { RunDocument } from "../../state/run-document.ts";
import { asRunError, StepError } from "../../step-error.ts";
import type { ExecutionContext } from "../execution-types.ts";
import type { AwaitedChild } from "../step-context.ts";
import { type FailedAttempt, idempotencyKeyOf, type StoredAttempts } from "./attempts.ts";
import type { OpenChildren } from "./open-children.ts";
import type { AttemptTools } from "./running-attempt.ts";
import { RunningTask, type TaskOwner } from "./running-task.ts";
import type { Substeps } from "./substeps.ts";

/**
 * Maximum number of tasks that execute at once, without those that wait for a child run. The largest concurrency of a
 * `for_each`.
 */
const MAX_CONCURRENT_TASKS = 100;

const NONE: Readonly<Record<string, number>> = {};
const NOTHING_STORED: StoredAttempts = { last: undefined, firstKey: undefined };
const DROPPED = new StepError("canceled", "Another item of the step failed.");

/** The run whose tasks are executed. */
export interface StepRunnerOwner {
  readonly plan: Plan;
  readonly progress: Progress;
  readonly substeps: Substeps;
  readonly openChildren: OpenChildren;
  readonly emitter: RunEventEmitter;
  /** Asked before each attempt. If it returns false, nothing begins and nothing is reported: the run ends. */
  mayBegin(): boolean;
  /** Called once for each started task, unless it was stopped. */
  onTaskSettled(task: Task, outcome: Outcome): void;
  /** Called when a task begins to wait for a child run. */
  onAwaitChild(): void;
}

export class StepRunner implements TaskOwner {
  readonly tools: AttemptTools;
  readonly substeps: Substeps;
  readonly openChildren: OpenChildren;
  private readonly owner: StepRunnerOwner;
  private readonly document: RunDocument;
  private readonly clock: Clock;
  private readonly running = new Map<Task, RunningTask>();
  private ready: Task[] = [];
  private isHeld = false;

  constructor(owner: StepRunnerOwner, document: RunDocument, { effects, clock, logger }: ExecutionContext) {
    const { id, app_id, root_run_id = id, depth } = document;
    const run = { app_id, run_id: id, root_run_id, depth };
    this.tools = { run, effects, clock, logger, mayBegin: () => owner.mayBegin() };
    this.substeps = owner.substeps;
    this.openChildren = owner.openChildren;
    this.owner = owner;
    this.document = document;
    this.clock = clock;
  }

  /** Executes tasks, immediately or as soon as other tasks have settled. */
  start(tasks: readonly Task[]): void {
    for (const task of tasks) this.ready.push(task);
    this.startReady();
  }

  /** Whether no task is executing or queued. */
  isDone(): boolean {
    return this.running.size === 0 && this.ready.length === 0;
  }

  /** Whether a task does anything but wait for a child run. */
  isWorking(): boolean {
    return [...this.running.values()].some(({ attempts }) => attempts.isWorking());
  }

  /** The child runs that the tasks wait for, or null if any task does anything else. */
  awaitedChildren(): readonly AwaitedChild[] | null {
    const found = [...this.running.values()].map(({ attempts }) => attempts.awaitedChildren());
    if (this.ready.length > 0 || found.some((children) => children === null)) return null;
    return found.flatMap((children) => children ?? []);
  }

  /** Number of tasks that are executing. */
  size(): number {
    return this.running.size;
  }

  /** Starts no further tasks. */
  stopStarting(): void {
    this.isHeld = true;
  }

  /** Stops tasks that the run has dropped. Nothing is reported about them afterwards. */
  drop(tasks: readonly Task[]): void {
    if (tasks.length === 0) return;
    const dropped = new Set(tasks);
    this.ready = this.ready.filter((task) => !dropped.has(task));
    for (const task of dropped) {
      const found = this.running.get(task);
      this.running.delete(task);
      found?.drop(DROPPED);
    }
  }

  /** Stops all tasks. Nothing is reported afterwards. */
  stop(reason: StepError): void {
    for (const [task, { attempts }] of this.running) {
      this.running.delete(task);
      attempts.stop(reason);
    }
    this.ready = [];
  }

  onTaskLog({ index, item }: Task, lines: readonly string[]): void {
    this.owner.emitter.emitLog(this.keyOf(index), instant(this.clock.now()), lines, item);
  }

  onTaskDelta({ index, item }: Task, text: string): void {
    this.owner.emitter.emitDelta(this.keyOf(index), instant(this.clock.now()), text, item);
  }

  onTaskRetrying({ index, item }: Task, { number, error, nextAt }: FailedAttempt): void {
    const failed = { attempt: number, error: asRunError(error), next_at: instant(nextAt) };
    this.owner.emitter.emitRetrying(this.keyOf(index), instant(this.clock.now()), failed, item);
  }

  onTaskAwaitsChild(): void {
    this.startReady();
    this.owner.onAwaitChild();
  }

  onTaskSettled(task: Task, outcome: Outcome): void {
    this.running.delete(task);
    this.owner.onTaskSettled(task, outcome);
  }

  private startReady(): void {
    while (this.ready.length > 0 && this.canStartOne()) {
      const task = this.ready.shift();
      if (task === undefined) return;
      this.execute(task);
    }
  }

  private canStartOne(): boolean {
    const { isHeld, running } = this;
    if (isHeld || running.size < MAX_CONCURRENT_TASKS) return !isHeld;
    const working = [...running.values()].filter(({ attempts }) => attempts.awaitedChildren() === null);
    return working.length < MAX_CONCURRENT_TASKS;
  }

  private execute(task: Task): void {
    const { plan, progress, emitter } = this.owner;
    const compiled = plan.steps[task.index];
    if (compiled === undefined || compiled.executable.kind === "wait") return;
    const { executable, step } = compiled;
    const iteration = progress.iteration(task);
    const running = new RunningTask(this, task, iteration, {
      executable,
      scope: progress.scope(task),
      stepKey: step.key,
      idempotencyKey: idempotencyKeyOf(this.document.id, compiled, iteration, this.retriesOf(task)),
      stored: this.storedAttempts(task),
    });
    emitter.emitStepStarted(step.key, instant(this.clock.now()), task.item);
    running.attempts.start();
    if (!running.attempts.isSettled) this.running.set(task, running);
  }

  /** How often the run was retried when the task got its idempotency key. */
  private retriesOf(task: Task): number {
    const { retries = 0, key_retries = NONE } = this.document;
    return key_retries === NONE ? retries : (key_retries[taskName(task)] ?? key_retries[task.index] ?? retries);
  }

  private storedAttempts(task: Task): StoredAttempts {
    const last = this.owner.progress.earlierAttempts(task);
    const firstKey = this.document.key_attempts?.[taskName(task)];
    return last === undefined && firstKey === undefined ? NOTHING_STORED : { last, firstKey };
  }

  private keyOf(index: number): string {
    return this.owner.plan.steps[index]?.step.key ?? "";
  }
}

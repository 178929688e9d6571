/** Executes the tasks of one run, at most 100 at once. */

import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import { instant } from "../../time/iso.ts";
import type { Plan } from "../compile/plan.ts";
import type { RunEventEmitter } from "../events/run-event-emitter.ts";
import type { Progress } from "../progress/progress.ts";
import type { Outcome } from "../progress/step-state.ts";
import { type Task, taskName } from "../progress/task.ts";
import type { RunDocument } from "../state/run-document.ts";
import { StepError } from "../step-error.ts";
import { Attempts, idempotencyKeyOf } from "./attempts.ts";
import type { OpenChildren } from "./open-children.ts";
import type { AttemptTools } from "./running-attempt.ts";
import { RunningTask, type TaskReports } from "./running-task.ts";
import type { AwaitedChild, Effects } from "./step-context.ts";
import type { Substeps } from "./substeps.ts";

export interface StepRunner {
  /** Executes tasks, immediately or as soon as other tasks have settled. */
  start(tasks: readonly Task[]): void;
  /** Whether no task is executing or queued. */
  isDone(): boolean;
  /** Whether a task does anything but wait for a child run. */
  isWorking(): boolean;
  /** The child runs that the tasks wait for, or null if any task does anything else. */
  awaitedChildren(): readonly AwaitedChild[] | null;
  /** Number of tasks that are executing. */
  size(): number;
  /** Starts no further tasks. */
  stopStarting(): void;
  /** Stops tasks that the run has dropped. Nothing is reported about them afterwards. */
  drop(tasks: readonly Task[]): void;
  /** Stops all tasks. Nothing is reported afterwards. */
  stop(reason: StepError): void;
}

/**
 * Maximum number of tasks that execute at once, without those that wait for a child run. The largest concurrency of a
 * `for_each`.
 */
const MAX_CONCURRENT_TASKS = 100;

const NONE: Readonly<Record<string, number>> = {};

const DROPPED = new StepError("canceled", "Another item of the step failed.");

export function createStepRunner(parts: {
  document: RunDocument;
  plan: Plan;
  progress: Progress;
  effects: Effects;
  clock: Clock;
  logger: Logger;
  substeps: Substeps;
  openChildren: OpenChildren;
  emitter: RunEventEmitter;
  /** Asked before each attempt. If it returns false, nothing begins and nothing is reported: the run ends. */
  mayBegin(): boolean;
  /** Called once for each started task, unless it was stopped. */
  onTaskSettled(task: Task, outcome: Outcome): void;
  /** Called when a task begins to wait for a child run. */
  onAwaitChild(): void;
}): StepRunner {
  const { document, plan, progress, effects, clock, logger, substeps, openChildren, emitter, mayBegin } = parts;
  const { onTaskSettled, onAwaitChild } = parts;
  const { id, app_id, root_run_id = id, depth, retries = 0, key_retries = NONE, key_attempts = NONE } = document;
  const keyOf = (index: number) => plan.steps[index]?.step.key ?? "";
  const tools: AttemptTools = { run: { app_id, run_id: id, root_run_id, depth }, effects, clock, logger, mayBegin };
  const running = new Map<Task, Attempts>();
  let ready: Task[] = [];
  let isHeld = false;

  const reports: TaskReports = {
    onLog: ({ index, item }, lines) => emitter.emitLog(keyOf(index), instant(clock.now()), lines, item),
    onDelta: ({ index, item }, text) => emitter.emitDelta(keyOf(index), instant(clock.now()), text, item),
    onAwaitChild() {
      startReady();
      onAwaitChild();
    },
    onSettled(task, outcome) {
      running.delete(task);
      openChildren.release(task);
      onTaskSettled(task, outcome);
    },
  };

  function execute(task: Task): void {
    const { index, item } = task;
    const compiled = plan.steps[index];
    if (compiled === undefined || compiled.executable.kind === "wait") return;
    const iteration = progress.iteration(task);
    const name = taskName(task);
    const retried = key_retries[name] ?? key_retries[index] ?? retries;
    const owner = new RunningTask(task, reports, {
      executable: compiled.executable,
      scope: progress.scope(task),
      stepKey: compiled.step.key,
      idempotencyKey: idempotencyKeyOf(id, compiled, iteration, retried),
      tools,
      children: openChildren.reportsOf(task),
      stored: { last: progress.earlierAttempts(task), firstKey: key_attempts[name] },
      substeps,
      iteration,
    });
    const attempts = new Attempts(owner);
    emitter.emitStepStarted(compiled.step.key, instant(clock.now()), item);
    attempts.start();
    if (!attempts.isSettled) running.set(task, attempts);
  }

  function canStartOne(): boolean {
    if (isHeld || running.size < MAX_CONCURRENT_TASKS) return !isHeld;
    return [...running.values()].filter((one) => one.awaitedChildren() === null).length < MAX_CONCURRENT_TASKS;
  }

  function startReady(): void {
    while (ready.length > 0 && canStartOne()) {
      const task = ready.shift();
      if (task === undefined) return;
      execute(task);
    }
  }

  return {
    start(tasks) {
      for (const task of tasks) ready.push(task);
      startReady();
    },
    isDone: () => running.size === 0 && ready.length === 0,
    size: () => running.size,
    awaitedChildren() {
      const found = [...running.values()].map((task) => task.awaitedChildren());
      if (ready.length > 0 || found.some((children) => children === null)) return null;
      return found.flatMap((children) => children ?? []);
    },
    isWorking: () => [...running.values()].some((task) => task.isWorking()),
    stopStarting() {
      isHeld = true;
    },
    drop(tasks) {
      const dropped = new Set(tasks);
      if (dropped.size === 0) return;
      ready = ready.filter((task) => !dropped.has(task));
      for (const task of dropped) {
        const found = running.get(task);
        running.delete(task);
        openChildren.release(task);
        found?.stop(DROPPED);
      }
    },
    stop(reason) {
      for (const [task, found] of running) {
        running.delete(task);
        found.stop(reason);
      }
      ready = [];
    },
  };
}

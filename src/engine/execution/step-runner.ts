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
import { idempotencyKeyOf, type RunningExecutable, startWithRetries } from "./attempt.ts";
import type { OpenChildren } from "./open-children.ts";
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
  const { id, app_id, root_run_id = id, depth, retries = 0, key_retries = {}, key_attempts = {} } = document;
  const running = new Map<Task, RunningExecutable>();
  let ready: Task[] = [];
  let isHeld = false;
  const now = () => instant(clock.now());

  function execute(task: Task): void {
    const { index, item } = task;
    const compiled = plan.steps[index];
    if (compiled === undefined || compiled.executable.kind === "wait") return;
    const { executable, step } = compiled;
    const iteration = progress.iteration(task);
    const idempotencyKey = idempotencyKeyOf(
      id,
      compiled,
      iteration,
      key_retries[taskName(task)] ?? key_retries[index] ?? retries,
    );
    const identity = { app_id, run_id: id, root_run_id, depth, step_key: step.key, idempotencyKey };
    const shared = {
      scope: progress.scope(task),
      identity,
      effects,
      clock,
      logger,
      mayBegin,
      children: openChildren.reportsOf(task),
    };
    const onLog = (lines: readonly string[]) => emitter.emitLog(step.key, now(), lines, item);
    const onDelta = (text: string) => emitter.emitDelta(step.key, now(), text, item);
    const runSubstep = substeps.runnerOf(`${index}.${iteration}`, shared);
    const firstKey = key_attempts[taskName(task)];
    const stored = { last: progress.earlierAttempts(task), firstKey };
    let isSettled = false;
    emitter.emitStepStarted(step.key, now(), item);
    const onAwait = () => {
      startReady();
      onAwaitChild();
    };
    const executed = { ...shared, executable, stored, onLog, onDelta, onAwaitChild: onAwait, runSubstep };
    const started = startWithRetries(executed, (outcome) => {
      isSettled = true;
      running.delete(task);
      openChildren.release(task);
      onTaskSettled(task, outcome);
    });
    if (!isSettled) running.set(task, started);
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

/** Executes the steps of one run, with a limit on concurrent steps. */

import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import { instant } from "../../time/iso.ts";
import type { Plan } from "../compile/plan.ts";
import type { RunEventEmitter } from "../events/run-event-emitter.ts";
import type { Progress } from "../state/progress.ts";
import type { RunDocument } from "../state/run-document.ts";
import type { Outcome } from "../state/step-state.ts";
import type { StepError } from "../step-error.ts";
import { idempotencyKeyOf, type RunningExecutable, startWithRetries } from "./attempt.ts";
import type { Effects } from "./step-context.ts";
import type { Substeps } from "./substeps.ts";

export interface StepRunner {
  /** Executes steps, immediately or as soon as other steps have settled. */
  start(steps: readonly number[]): void;
  /** Whether a step is executing. */
  isExecuting(): boolean;
  /** Whether no step is executing or queued. */
  isDone(): boolean;
  /** Whether a step works by itself, instead of only waiting for a child run. */
  isWorking(): boolean;
  /** Starts no further steps. */
  hold(): void;
  /** Stops all steps. Nothing is reported afterwards. */
  stop(reason: StepError): void;
}

/** Maximum number of concurrent steps per run. */
const MAX_CONCURRENT_STEPS = 50;

export function createStepRunner(parts: {
  document: RunDocument;
  plan: Plan;
  progress: Progress;
  effects: Effects;
  clock: Clock;
  logger: Logger;
  substeps: Substeps;
  emitter: RunEventEmitter;
  /** Asked before each attempt. If it returns false, nothing begins and nothing is reported: the run ends. */
  mayBegin(): boolean;
  /** Called once for each started iteration of a step, unless the step was stopped. */
  onStepSettled(index: number, outcome: Outcome): void;
}): StepRunner {
  const { document, plan, progress, effects, clock, logger, substeps, emitter, mayBegin, onStepSettled } = parts;
  const { id, app_id, root_run_id = id, depth, retries = 0, key_retries = {} } = document;
  const running = new Map<number, RunningExecutable>();
  let ready: number[] = [];
  let isHeld = false;
  const now = () => instant(clock.now());

  function execute(index: number): void {
    const compiled = plan.steps[index];
    if (compiled === undefined || compiled.executable.kind === "wait") return;
    const { executable, step } = compiled;
    const iteration = progress.iteration(index);
    const idempotencyKey = idempotencyKeyOf(id, compiled, iteration, key_retries[index] ?? retries);
    const identity = { app_id, run_id: id, root_run_id, depth, idempotencyKey };
    const shared = { scope: progress.scope(index), identity, effects, clock, logger, mayBegin };
    const onLog = (lines: readonly string[]) => emitter.emitLog(step.key, now(), lines);
    const onDelta = (text: string) => emitter.emitDelta(step.key, now(), text);
    const runSubstep = substeps.runnerOf(`${index}.${iteration}`, shared);
    let isSettled = false;
    emitter.emitStepStarted(step.key, now());
    const started = startWithRetries({ ...shared, executable, onLog, onDelta, runSubstep }, (outcome) => {
      isSettled = true;
      running.delete(index);
      onStepSettled(index, outcome);
    });
    if (!isSettled) running.set(index, started);
  }

  return {
    start(steps) {
      for (const step of steps) ready.push(step);
      while (!isHeld && running.size < MAX_CONCURRENT_STEPS) {
        const index = ready.shift();
        if (index === undefined) return;
        execute(index);
      }
    },
    isExecuting: () => running.size > 0,
    isDone: () => running.size === 0 && ready.length === 0,
    isWorking: () => [...running.values()].some((step) => step.isWorking()),
    hold() {
      isHeld = true;
    },
    stop(reason) {
      for (const [index, step] of running) {
        running.delete(index);
        step.stop(reason);
      }
      ready = [];
    },
  };
}

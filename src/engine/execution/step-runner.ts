/** The steps of one run that are being carried out: so many at once, the others when one of these has ended. */

import type { Clock } from "../../ports/clock.ts";
import { instant } from "../../time/iso.ts";
import type { Plan } from "../compile/compile.ts";
import type { Effects } from "../compile/step-kind.ts";
import type { RunEventEmitter } from "../events/run-event-emitter.ts";
import type { Progress } from "../state/progress.ts";
import type { RunDocument } from "../state/run-document.ts";
import type { Outcome } from "../state/step-state.ts";
import type { StepError } from "../step-error.ts";
import { idempotencyKeyOf, type RunningExecutable, startWithRetries } from "./attempt.ts";
import type { Substeps } from "./substeps.ts";

export interface StepRunner {
  /** Lets steps begin, now or as soon as others have ended. */
  start(steps: readonly number[]): void;
  /** Whether any is being carried out. */
  isBusy(): boolean;
  /** Whether none is being carried out, nor to be. */
  isDone(): boolean;
  /** Whether any does something itself, and not only waits for another run. */
  isAtWork(): boolean;
  /** No other begins. */
  hold(): void;
  /** Makes all of them stop; nothing is reported any more. */
  stop(reason: StepError): void;
}

/** Steps of one run that are carried out at the same time. */
const MAX_CONCURRENT_STEPS = 50;

export function createStepRunner(parts: {
  document: RunDocument;
  plan: Plan;
  progress: Progress;
  effects: Effects;
  clock: Clock;
  parts: Substeps;
  telling: RunEventEmitter;
  ended(index: number, outcome: Outcome): void;
}): StepRunner {
  const { document, plan, progress, effects, clock, telling, ended } = parts;
  const { id, app_id, root_run_id = id, depth, retries } = document;
  const attempts = new Map<number, RunningExecutable>();
  let ready: number[] = [];
  let isHeld = false;
  const now = () => instant(clock.now());

  function launch(index: number): void {
    const compiled = plan.steps[index];
    if (compiled === undefined || compiled.executable.kind === "wait") return;
    const { executable, step } = compiled;
    const iteration = progress.iteration(index);
    const idempotencyKey = idempotencyKeyOf(id, compiled, iteration, retries);
    const place = { app_id, run_id: id, root_run_id, depth, idempotencyKey };
    const shared = { scope: progress.scope(index), place, effects, clock };
    const logged = (lines: readonly string[]) => telling.log(step.key, now(), lines);
    const wrote = (text: string) => telling.wrote(step.key, now(), text);
    const perform = parts.parts.of(`${index}.${iteration}`, shared);
    let isOver = false;
    telling.started(step.key, now());
    const attempt = startWithRetries({ ...shared, executable, logged, wrote, perform }, (outcome) => {
      isOver = true;
      attempts.delete(index);
      ended(index, outcome);
    });
    if (!isOver) attempts.set(index, attempt);
  }

  return {
    start(steps) {
      for (const step of steps) ready.push(step);
      while (!isHeld && attempts.size < MAX_CONCURRENT_STEPS) {
        const index = ready.shift();
        if (index === undefined) return;
        launch(index);
      }
    },
    isBusy: () => attempts.size > 0,
    isDone: () => attempts.size === 0 && ready.length === 0,
    isAtWork: () => [...attempts.values()].some((attempt) => attempt.isAtWork()),
    hold() {
      isHeld = true;
    },
    stop(reason) {
      for (const [index, attempt] of attempts) {
        attempts.delete(index);
        attempt.stop(reason);
      }
      ready = [];
    },
  };
}

/** The states of a step in a run, and their transitions. */

import type { JsonValue } from "../../json.ts";
import type { RunError } from "../../runs/run.ts";
import { instant } from "../../time/iso.ts";
import type { VisibleStep } from "../expressions/expression-scope.ts";
import type { Spending } from "../expressions/operation-budget.ts";
import { withLines } from "./step-log.ts";

/** The outcome of one iteration of an executed or waiting step. */
export interface Outcome {
  readonly output: JsonValue;
  /** Null on success. */
  readonly error: RunError | null;
  /** Number of attempts. */
  readonly attempts: number;
  readonly logs?: readonly string[] | undefined;
  /** Milliseconds since 1970. */
  readonly started_at: number;
  readonly finished_at: number;
  /**
   * Whether it is the outcome of the whole loop. Set in retried runs, where the loop's condition is not evaluated
   * again.
   */
  readonly whole?: true;
}

/** Identifies a substep within its run: step index, iteration, and the name that the step chose. */
export type SubstepId = `${number}.${number}.${string}`;

export interface StepState {
  readonly output: JsonValue;
  readonly error: RunError | null;
  readonly status: "running" | "waiting" | "succeeded" | "failed" | "skipped";
  readonly attempts: number;
  readonly logs: readonly string[];
  readonly started_at: number | null;
  readonly finished_at: number | null;
}

const NO_LOGS: readonly string[] = [];

const UNSETTLED: StepState = {
  status: "running",
  output: null,
  error: null,
  attempts: 0,
  logs: NO_LOGS,
  started_at: null,
  finished_at: null,
};

export function runningState(at: number): StepState {
  return { ...UNSETTLED, started_at: at };
}

export function succeededState(output: JsonValue, at: number): StepState {
  return {
    status: "succeeded",
    output,
    error: null,
    attempts: 1,
    logs: NO_LOGS,
    started_at: at,
    finished_at: at,
  };
}

export function failedState(error: RunError, at: number): StepState {
  return { ...succeededState(null, at), status: "failed", error };
}

/** @param at Null for a step that was never reached. */
export function skippedState(at: number | null): StepState {
  return { ...UNSETTLED, status: "skipped", started_at: at, finished_at: at };
}

/** The iterations of a loop so far, of which at least one has ended. */
export interface LoopState {
  /** Number of the last one. */
  readonly iteration: number;
  /** Its output. */
  readonly previous: JsonValue;
  readonly state: StepState;
  /** What the loop's condition has spent in all of them. */
  readonly spent: Spending;
}

/** Combines the iterations of a loop: attempts and logs add up. */
export function settledState(outcome: Outcome, now: StepState | undefined, before: StepState | undefined): StepState {
  const logs = outcome.logs ?? NO_LOGS;
  return {
    status: outcome.error === null ? "succeeded" : "failed",
    output: outcome.output,
    error: outcome.error,
    attempts: outcome.attempts + (before?.attempts ?? 0),
    logs: before === undefined ? logs : withLines(before.logs, logs),
    started_at: before?.started_at ?? now?.started_at ?? outcome.started_at,
    finished_at: outcome.finished_at,
  };
}

/** Returns a step as other steps see it. */
export function toVisibleStep({ status, output, error, attempts, started_at, finished_at }: StepState): VisibleStep {
  return {
    status,
    output,
    error,
    attempts,
    started_at: started_at === null ? null : instant(started_at),
    finished_at: finished_at === null ? null : instant(finished_at),
  };
}

/** Where a step of a run stands, and what brings it there. */

import type { JsonValue } from "../../json.ts";
import type { RunError } from "../../runs/run.ts";
import { instant } from "../../time/iso.ts";
import type { SeenStep } from "../expressions/expression-scope.ts";
import { withLines } from "./step-log.ts";

/** How one repetition of a step that touches the world has ended. */
export interface Outcome {
  readonly output: JsonValue;
  /** Null when it went well. */
  readonly error: RunError | null;
  /** Tries that it took. */
  readonly attempts: number;
  readonly logs?: readonly string[];
  /** Milliseconds since 1970. */
  readonly started_at: number;
  readonly finished_at: number;
  /** Of all repetitions together, in a run that is taken up again after its end: the loop is not asked any more. */
  readonly whole?: true;
}

/** Names a substep within its run: the index of its step, the iteration, and the name that the step gave it. */
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

/** @param at Null for a step that nothing has reached. */
export function skippedState(at: number | null): StepState {
  return { ...UNSETTLED, status: "skipped", started_at: at, finished_at: at };
}

/** The repetitions of a loop count as one step: its tries and logs add up. */
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

/** What other steps see of a step. */
export function asSeenStep({ status, output, error, attempts, started_at, finished_at }: StepState): SeenStep {
  return {
    status,
    output,
    error,
    attempts,
    started_at: started_at === null ? null : instant(started_at),
    finished_at: finished_at === null ? null : instant(finished_at),
  };
}

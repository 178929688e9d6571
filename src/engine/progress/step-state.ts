/** The states of a step in a run, and their transitions. */

import type { JsonValue } from "../../json.ts";
import type { ItemCounts, ItemError, LogPart, StepFailure } from "../../runs/run-step.ts";
import { instant } from "../../time/iso.ts";
import type { VisibleStep } from "../expressions/expression-scope.ts";
import type { Spending } from "../expressions/operation-budget.ts";
import type { EndedAttempt, StepHistory } from "./step-history.ts";
import { partsOf, withLines, withTaskParts } from "./step-log.ts";

/** The outcome of a task: of one iteration of an executed or waiting step, or of one item. */
export interface Outcome {
  readonly output: JsonValue;
  /** Null on success. */
  readonly error: StepFailure | null;
  /** Number of attempts. */
  readonly attempts: number;
  readonly logs?: readonly string[] | undefined;
  /** Which attempts wrote them. Absent if the last one wrote all. */
  readonly log_parts?: readonly LogPart[] | undefined;
  /** Milliseconds since 1970. */
  readonly started_at: number;
  readonly finished_at: number;
  /**
   * What a retried run keeps: the outcome of the whole step, whose loop is not evaluated again; or the completed items of a
   * step that has not succeeded. With `for_each`, `output` has the results of the items.
   */
  readonly kept?: "whole" | "items" | undefined;
  /** Of a kept step that failed: index of the catch route that caught the error, or null if none did. */
  readonly caught_by?: number | null | undefined;
  /** Another attempt follows. The task stays open until then. */
  readonly retry?: NextAttempt;
  /** The last attempts, if there were several. */
  readonly tries?: readonly EndedAttempt[] | undefined;
  /** What a retried run keeps of the step's attempts, repetitions and items. */
  readonly history?: StepHistory | undefined;
  /** Of an iteration that another one follows. Its loop is not evaluated again. */
  readonly continues?: Spending;
}

/** The attempt that follows a failed one after a wait, which memory doesn't hold. */
export interface NextAttempt {
  /** When it starts, in milliseconds since 1970. */
  readonly at: number;
  /** Number of attempts so far, without those of substeps. */
  readonly attempts: number;
  /** Number of the attempt that changed the idempotency key last, or 0. */
  readonly key: number;
  /** The same for the attempt that failed. If it differs, what the attempt did is done anew. */
  readonly before: number;
}

/** Whether the substeps that succeeded count for the next attempt: it repeats the same request after a transient error. */
export const keepsSubsteps = ({ retry }: Pick<Outcome, "retry">): boolean =>
  retry !== undefined && retry.key === retry.before;

/** The outcome of a step that waited for input or a time. */
export function outcomeOfWait(now: number, output: JsonValue, error: StepFailure | null = null): Outcome {
  return { output, error, attempts: 1, started_at: now, finished_at: now };
}

/** Identifies a substep within its run: step index, iteration, and the name that the step chose. */
export type SubstepId = `${number}.${number}.${string}`;

/** An iteration of a step, `INDEX.ITERATION`, or a substep that has substeps. */
export type SubstepParent = `${number}.${number}` | SubstepId;

/** Removes the outcomes of the substeps of a step, `INDEX`, of an iteration, or of a substep. */
export function forgetSubsteps(
  known: Map<SubstepId, Pick<Outcome, "error">>,
  parent: string,
  onlyFailed = false,
): void {
  for (const [id, { error }] of known) {
    if (id.startsWith(`${parent}.`) && (!onlyFailed || error !== null)) known.delete(id);
  }
}

export interface StepState {
  readonly output: JsonValue;
  readonly error: StepFailure | null;
  /** With `for_each`. */
  readonly items?: ItemCounts;
  readonly errors?: readonly ItemError[];
  /** Index of the catch route that caught the error, or null if none did. Undefined before that is decided. */
  readonly caughtBy?: number | null | undefined;
  readonly status: "running" | "waiting" | "succeeded" | "failed" | "skipped";
  readonly attempts: number;
  readonly logs: readonly string[];
  /** Who wrote them. */
  readonly parts?: readonly LogPart[] | undefined;
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

export function failedState(error: StepFailure, at: number): StepState {
  return { ...succeededState(null, at), status: "failed", error };
}

/** @param at Null for a step that was never reached. */
export function skippedState(at: number | null): StepState {
  return { ...UNSETTLED, status: "skipped", started_at: at, finished_at: at };
}

/**
 * Combines the iterations of a loop: attempts and logs add up.
 * @param waitsSince Since when the step has waited; undefined for one that is executed, which starts with its first attempt.
 * @param outcome With the log of the attempts that were stored before.
 * @param before The iterations before this one.
 * @param iteration Index of this one; undefined without a loop.
 */
export function settledState(
  outcome: Outcome,
  waitsSince: number | null | undefined,
  before: StepState | undefined,
  iteration: number | undefined,
): StepState {
  const { logs = NO_LOGS } = outcome;
  return {
    status: outcome.error === null ? "succeeded" : "failed",
    output: outcome.output,
    error: outcome.error,
    caughtBy: outcome.caught_by,
    attempts: outcome.attempts + (before?.attempts ?? 0),
    logs: before === undefined ? logs : withLines(before.logs, logs),
    parts: withTaskParts(before?.parts, outcome, iteration),
    started_at:
      outcome.kept === "whole" ? outcome.started_at : (before?.started_at ?? waitsSince ?? outcome.started_at),
    finished_at: outcome.finished_at,
  };
}

/** The outcome of a task, with the log of its attempts that were stored before. */
export function withEarlierLog<T extends Outcome>(outcome: T, earlier: Outcome | undefined): T {
  if (earlier?.logs === undefined) return outcome;
  const { logs = NO_LOGS } = outcome;
  return { ...outcome, logs: withLines(earlier.logs, logs), log_parts: [...partsOf(earlier), ...partsOf(outcome)] };
}

/** A step whose attempt failed, until the next one starts. */
export function awaitingAttempt(
  state: StepState,
  { error, attempts, started_at }: Outcome,
  before: StepState | undefined,
): StepState {
  const started = before?.started_at ?? started_at;
  return { ...state, status: "waiting", error, attempts: attempts + (before?.attempts ?? 0), started_at: started };
}

/**
 * Adds the outcome of an item to the state of its step. The step starts with the first of its items.
 * @param item Index of the item; undefined for those that a retried run keeps.
 */
export function withItem(state: StepState, outcome: Outcome, item: number | undefined): StepState {
  const { attempts, logs = NO_LOGS, started_at: at } = outcome;
  const started_at = state.attempts === 0 || state.started_at === null ? at : Math.min(state.started_at, at);
  const sum = state.attempts + attempts;
  const parts = withTaskParts(state.parts, outcome, item);
  return {
    ...state,
    status: "running",
    error: null,
    attempts: sum,
    logs: withLines(state.logs, logs),
    parts,
    started_at,
  };
}

/** Attempts of a failed step, or of the item that failed it. */
export function attemptsOf({ error, errors, attempts }: Pick<StepState, "error" | "errors" | "attempts">): number {
  return errors?.find(({ index }) => index === error?.index)?.attempts ?? attempts;
}

/** Returns a step as other steps see it. */
export function toVisibleStep(state: StepState): VisibleStep {
  const { status, output, error, errors, attempts, started_at, finished_at } = state;
  const visible = {
    status,
    output,
    error: error === null ? null : { ...error, attempts: attemptsOf(state) },
    attempts,
    started_at: started_at === null ? null : instant(started_at),
    finished_at: finished_at === null ? null : instant(finished_at),
  };
  return errors === undefined ? visible : { ...visible, errors };
}

/** Runs as callers see them. Pure. */

import { type JsonValue, omitUndefined } from "../../json.ts";
import { type Run, summaryOf } from "../../runs/run.ts";
import type { RunStep } from "../../runs/run-step.ts";
import { instant } from "../../time/iso.ts";
import type { Plan } from "../compile/plan.ts";
import type { ItemResults } from "../progress/for-each.ts";
import type { Progress } from "../progress/progress.ts";
import { shownParts } from "../progress/step-log.ts";
import type { StepState } from "../progress/step-state.ts";
import type { RunDocument, StoredStep } from "./run-document.ts";

/** Returns a run that has not ended, from its progress. */
export function showRunning(document: RunDocument, plan: Plan, progress: Progress): Run {
  const steps = plan.steps.map((_, index) => showOpenStep(document, plan, progress, index));
  return runOf(document, null, steps);
}

/** Shows a step of a run that has not ended. Every open step of a waiting run waits, also one that waits for a child run. */
export function showOpenStep(document: RunDocument, plan: Plan, progress: Progress, index: number): RunStep {
  const step = withBegin(showStep(plan, progress, index, null), document);
  return document.status === "waiting" && step.status === "running" ? { ...step, status: "waiting" } : step;
}

/**
 * A step that is executed becomes ready before its run has a slot, but starts with the run at the earliest. Once it has settled,
 * its outcome says when it started. In a retried run, a step that was ready before starts with the retry, unless attempts of
 * it are kept.
 */
export function withBegin(step: RunStep, { started_at: begin, retries, retried_at }: RunDocument): RunStep {
  const { status, started_at, attempts } = step;
  if (started_at === null || (status !== "running" && status !== "canceled")) return step;
  if (retries !== undefined && attempts > 0) return step;
  const earliest = retries === undefined ? begin : (retried_at ?? null);
  return earliest === null || started_at < earliest ? { ...step, started_at: earliest } : step;
}

/** Returns an ended run, from its progress. */
export function showEndedFrom(document: RunDocument, plan: Plan, progress: Progress): Run {
  return showEnded(
    document,
    plan.steps.map((_, index) => resultOf(progress, index)),
  );
}

/** Returns an ended run. @param outputs Outputs of its steps, by index. */
export function showEnded(document: RunDocument, outputs: readonly JsonValue[]): Run {
  const { steps: stored = [], leaves = [], status } = document;
  const steps = stored.map((step, index) => showStored(step, outputs[index] ?? null));
  return runOf(document, status === "succeeded" ? outputOf(steps, leaves) : null, steps);
}

/** Node.js 20 makes a hidden class for each field after a spread, every time: they would be a tenth of the time of a run. */
function runOf(document: RunDocument, output: JsonValue, steps: readonly RunStep[]): Run {
  const { trigger, input } = document;
  return Object.assign(summaryOf(document), { trigger, input, output, steps });
}

/** Shows a step of an ended run. @param value Its output, or the results of its items. */
export function showStored(stored: StoredStep, value: JsonValue): RunStep {
  if (isPlain(stored)) return { ...stored, output: value };
  const { has_items, caught_by, history, ...step } = stored;
  if (has_items !== true) return { ...step, output: value };
  const { counts: items, errors, output } = value as unknown as ItemResults; // as `resultOf` returned it
  const shown = { ...step, output, items };
  return errors.length === 0 ? shown : { ...shown, errors: [...errors] };
}

/** Whether nothing is stored of the step that callers don't see. */
const isPlain = ({ has_items, caught_by, history }: StoredStep) =>
  has_items === undefined && caught_by === undefined && history === undefined;

/** What is stored of a step when its run ends: its output, or the results of its items. */
export function resultOf(progress: Progress, index: number): JsonValue {
  const results = progress.itemResults(index);
  if (results === undefined) return progress.state(index)?.output ?? null;
  return results as unknown as JsonValue; // an interface of JSON values has no index signature
}

/** Returns the output of the only leaf, or the outputs of all succeeded leaves by key. */
function outputOf(steps: readonly RunStep[], leaves: readonly number[]): JsonValue {
  const [only, ...others] = leaves;
  if (only === undefined) return null;
  if (others.length === 0) return steps[only]?.output ?? null;
  return Object.fromEntries(
    leaves.flatMap((index) => {
      const step = steps[index];
      return step?.status === "succeeded" ? [[step.key, step.output]] : [];
    }),
  );
}

/** @param endedAt When the run ended, ISO 8601, or null if it has not. Steps that had not settled are then canceled. */
export function showStep(plan: Plan, progress: Progress, index: number, endedAt: string | null): RunStep {
  const { key = "", type = "" } = plan.steps[index]?.step ?? {};
  const state = progress.state(index);
  const hasRunEnded = endedAt !== null;
  if (state === undefined) return { key, type, ...NOT_STARTED, status: hasRunEnded ? "canceled" : "pending" };
  const isCanceled = hasRunEnded && (state.status === "running" || state.status === "waiting");
  const until = hasRunEnded ? undefined : nextWakeUp(progress, index);
  const step: RunStep = {
    key,
    type,
    status: isCanceled ? "canceled" : state.status,
    output: state.output,
    error: state.error,
    attempts: state.attempts,
    started_at: instantOrNull(state.started_at),
    finished_at: isCanceled ? endedAt : instantOrNull(state.finished_at),
  };
  const { items, errors, logs } = state;
  // Copies of most steps would be a twentieth of what a run allocates.
  if (items === undefined && errors === undefined && logs.length === 0 && until === undefined) return step;
  return {
    ...step,
    ...omitUndefined({
      items,
      errors: errors === undefined ? undefined : [...errors],
      logs: logs.length === 0 ? undefined : [...logs],
      log_parts: shownParts(logs, state.parts),
      waits_until: until === undefined ? undefined : instant(until),
    }),
  };
}

/** When the first waiting task of a step continues, in milliseconds since 1970. */
function nextWakeUp(progress: Progress, index: number): number | undefined {
  let first: number | undefined;
  for (const [task, { at }] of progress.wakeUps) if (task.index === index) first = Math.min(first ?? at, at);
  return first;
}

const NOT_STARTED = { output: null, error: null, attempts: 0, started_at: null, finished_at: null } as const;

const instantOrNull = (milliseconds: StepState["started_at"]) => (milliseconds === null ? null : instant(milliseconds));

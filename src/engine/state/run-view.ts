/** Runs as callers see them. Pure. */

import { type JsonValue, omitUndefined } from "../../json.ts";
import { type Run, type RunStep, summaryOf } from "../../runs/run.ts";
import { instant } from "../../time/iso.ts";
import type { Plan } from "../compile/plan.ts";
import type { Progress } from "./progress.ts";
import type { RunDocument } from "./run-document.ts";
import type { StepState } from "./step-state.ts";

/** Returns a run that has not ended, from its progress. */
export function showRunning(document: RunDocument, plan: Plan, progress: Progress): Run {
  return {
    ...summaryOf(document),
    input: document.input,
    output: null,
    steps: plan.steps.map((_, index) => showStep(plan, progress, index, null)),
  };
}

/** Returns an ended run. @param outputs Outputs of its steps, by index. */
export function showEnded(document: RunDocument, outputs: readonly JsonValue[]): Run {
  const { steps: stored = [], leaves = [], input, status } = document;
  const steps = stored.map((step, index): RunStep => ({ ...step, output: outputs[index] ?? null }));
  return { ...summaryOf(document), input, output: status === "succeeded" ? outputOf(steps, leaves) : null, steps };
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
  const wakeUp = hasRunEnded ? undefined : progress.wakeUps.get(index);
  return {
    key,
    type,
    status: isCanceled ? "canceled" : state.status,
    output: state.output,
    error: state.error,
    attempts: state.attempts,
    ...omitUndefined({ logs: state.logs.length === 0 ? undefined : [...state.logs] }),
    started_at: instantOrNull(state.started_at),
    finished_at: isCanceled ? endedAt : instantOrNull(state.finished_at),
    ...omitUndefined({ waits_until: wakeUp === undefined ? undefined : instant(wakeUp.at) }),
  };
}

const NOT_STARTED = { output: null, error: null, attempts: 0, started_at: null, finished_at: null } as const;

const instantOrNull = (milliseconds: StepState["started_at"]) => (milliseconds === null ? null : instant(milliseconds));

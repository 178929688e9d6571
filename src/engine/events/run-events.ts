/** What has happened in a run, told from how it stands: the same events with the same numbers every time. Pure. */

import { approximateJsonSize } from "../../json.ts";
import { hasEnded, type Run, type RunStep } from "../../runs/run.ts";
import type { RunEvent } from "../../runs/run-event.ts";
import { MAX_INLINE_CHARS } from "../state/large-values.ts";

/** A run, and the order in which its steps have settled. */
export interface RunSnapshot {
  readonly run: Run;
  readonly order: readonly number[];
  /** How many events with numbers came before its last retry; 0 without one. */
  readonly eventsBeforeRetry: number;
}

/** Everything behind a number, then what is going on just now. */
export function eventsAfter({ run, order, eventsBeforeRetry }: RunSnapshot, after: number): RunEvent[] {
  const known = Math.max(0, after - eventsBeforeRetry);
  const settled = order.slice(known).flatMap((index, at): RunEvent[] => {
    const step = run.steps[index];
    return step === undefined ? [] : [stepSettledEvent(run.id, step, eventsBeforeRetry + known + at + 1)];
  });
  if (hasEnded(run.status)) {
    return [
      ...settled,
      ...runEndEvents(run, eventsBeforeRetry + order.length).slice(Math.max(0, known - order.length)),
    ];
  }
  const underWay = run.steps.flatMap((step): RunEvent[] => {
    if (step.status === "running") return [ephemeralEvent("step.started", run.id, step.key, step.started_at)];
    if (step.status === "waiting") return [ephemeralEvent("step.waiting", run.id, step.key, step.started_at)];
    return [];
  });
  return [...settled, ...underWay];
}

export function stepSettledEvent(runId: string, step: RunStep, id: number): RunEvent {
  const { key, status, output, error, finished_at } = step;
  const type = SETTLED_EVENT_TYPES[status] ?? "step.succeeded";
  return {
    id,
    type,
    run_id: runId,
    step: key,
    at: finished_at,
    ...(type === "step.succeeded" && approximateJsonSize(output, MAX_INLINE_CHARS) <= MAX_INLINE_CHARS
      ? { output }
      : {}),
    ...(error === null ? {} : { error }),
  };
}

const SETTLED_EVENT_TYPES: Readonly<Partial<Record<RunStep["status"], RunEvent["type"]>>> = {
  failed: "step.failed",
  skipped: "step.skipped",
  canceled: "step.canceled",
};

/**
 * How a run ends: with the steps that it cut off, in the order of the version, and with itself.
 * @param before How many events came before
 */
export function runEndEvents(run: Run, before: number): RunEvent[] {
  const canceled = run.steps.filter(({ status }) => status === "canceled");
  return [
    ...canceled.map((step, at) => stepSettledEvent(run.id, step, before + at + 1)),
    runEndEvent(run, before + canceled.length + 1),
  ];
}

/** How many events with numbers a run with these steps has by its end. */
export function countEvents(steps: readonly Pick<RunStep, "status">[], order: readonly number[]): number {
  return order.length + steps.filter(({ status }) => status === "canceled").length + 1;
}

function runEndEvent({ id: run_id, status, output, error, finished_at }: Run, id: number): RunEvent {
  const type = status === "succeeded" ? "run.succeeded" : status === "canceled" ? "run.canceled" : "run.failed";
  return {
    id,
    type,
    run_id,
    at: finished_at,
    ...(type === "run.succeeded" && approximateJsonSize(output, MAX_INLINE_CHARS) <= MAX_INLINE_CHARS
      ? { output }
      : {}),
    ...(error === null ? {} : { error }),
  };
}

/** What only passes by. */
export function ephemeralEvent(
  type: "step.started" | "step.waiting",
  runId: string,
  step: string,
  at: string | null,
): RunEvent {
  return { type, run_id: runId, step, at };
}

/** Derives a run's events from its current state, with the same numbers every time. Pure. */

import { approximateJsonSize, type JsonValue, omitUndefined } from "../../json.ts";
import { hasEnded, type Run } from "../../runs/run.ts";
import type { RunEvent } from "../../runs/run-event.ts";
import type { RunStep } from "../../runs/run-step.ts";
import { MAX_INLINE_CHARS } from "../state/large-values.ts";

/** A run and the order in which its steps settled. */
export interface RunSnapshot {
  readonly run: Run;
  readonly order: readonly number[];
  /** Number of numbered events before the run's last retry; 0 if it was never retried. */
  readonly eventsBeforeRetry: number;
}

/** The events of snapshots: followers that read the same one get the same events, whose text is then shared. */
const known = new WeakMap<RunSnapshot, readonly RunEvent[]>();

/** Returns all events after a number, then unnumbered events for steps that are running or waiting. */
export function eventsAfter(snapshot: RunSnapshot, after: number): RunEvent[] {
  const all = known.get(snapshot) ?? eventsOf(snapshot);
  known.set(snapshot, all);
  return all.filter(({ id }) => id === undefined || id > after);
}

function eventsOf({ run, order, eventsBeforeRetry }: RunSnapshot): RunEvent[] {
  const settled = order.flatMap((index, at): RunEvent[] => {
    const step = run.steps[index];
    return step === undefined ? [] : [stepSettledEvent(run.id, step, eventsBeforeRetry + at + 1)];
  });
  if (hasEnded(run.status)) return [...settled, ...runEndEvents(run, eventsBeforeRetry + order.length)];
  const active = run.steps.flatMap((step): RunEvent[] => {
    if (step.started_at === null) return []; // the run needs a slot first
    if (step.status === "running") return [ephemeralEvent("step.started", run.id, step.key, step.started_at)];
    if (step.status === "waiting") return [ephemeralEvent("step.waiting", run.id, step.key, step.started_at)];
    return [];
  });
  return [...settled, ...active];
}

/** @param step A step that has settled or was canceled. */
export function stepSettledEvent(runId: string, step: RunStep, id: number): RunEvent {
  const { key, status, output, error, finished_at: at } = step;
  if (status === "skipped" || status === "canceled") {
    return { id, type: `step.${status}`, run_id: runId, step: key, at };
  }
  if (error !== null) {
    const { code, message } = error;
    return { id, type: "step.failed", run_id: runId, step: key, at, error: { code, message } };
  }
  const succeeded = { id, type: "step.succeeded", run_id: runId, step: key, at } as const;
  return omitUndefined({ ...succeeded, output: inlineOutput(output) });
}

/**
 * Returns the last events of a run: its canceled steps in version order, then its end.
 * @param before Number of events before these.
 */
export function runEndEvents(run: Run, before: number): RunEvent[] {
  const canceled = run.steps.filter(({ status }) => status === "canceled");
  return [
    ...canceled.map((step, at) => stepSettledEvent(run.id, step, before + at + 1)),
    runEndEvent(run, before + canceled.length + 1),
  ];
}

/** Total number of numbered events that a run with these steps has when it ends. */
export function countEvents(steps: readonly Pick<RunStep, "status">[], order: readonly number[]): number {
  return order.length + steps.filter(({ status }) => status === "canceled").length + 1;
}

function runEndEvent({ id: run_id, status, output, error, finished_at: at }: Run, id: number): RunEvent {
  if (status === "canceled") return { id, type: "run.canceled", run_id, at };
  if (error !== null) return { id, type: "run.failed", run_id, at, error };
  const succeeded = { id, type: "run.succeeded", run_id, at } as const;
  return omitUndefined({ ...succeeded, output: inlineOutput(output) });
}

/** An output, unless it is too large for an event. */
function inlineOutput(output: JsonValue): JsonValue | undefined {
  return approximateJsonSize(output, MAX_INLINE_CHARS) <= MAX_INLINE_CHARS ? output : undefined;
}

/** An event without a number, which is not replayed to later subscribers. */
export function ephemeralEvent(
  type: "step.started" | "step.waiting",
  runId: string,
  step: string,
  at: string,
): RunEvent {
  return { type, run_id: runId, step, at };
}

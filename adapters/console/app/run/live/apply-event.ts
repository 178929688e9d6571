/** What an event changes in a run. Pure. Applying an event again changes nothing. */
import { withPart } from "../../../../../src/engine/progress/step-log.ts";
import { omitUndefined } from "../../../../../src/json.ts";
import type { Run } from "../../../../../src/runs/run.ts";
import type { RunEvent } from "../../../../../src/runs/run-event.ts";
import type { RunStep } from "../../../../../src/runs/run-step.ts";
import { hasEnded } from "../has-ended.ts";

/** Applies events in their order. Returns the same object if they change nothing. */
export function applyEvents(run: Run, events: readonly RunEvent[]): Run {
  let steps: RunStep[] | undefined;
  let head = run;
  const indexOf = new Map(run.steps.map(({ key }, index) => [key, index]));
  for (const event of events) {
    if (!("step" in event)) {
      head = applyToRun(head, event);
      continue;
    }
    const index = indexOf.get(event.step);
    const before = index === undefined ? undefined : (steps ?? run.steps)[index];
    if (index === undefined || before === undefined) continue;
    const after = applyToStep(before, event);
    if (after === before) continue;
    steps ??= [...run.steps];
    steps[index] = after;
  }
  if (steps === undefined) return head;
  return withStatusOfSteps({ ...head, steps });
}

type StepEvent = Extract<RunEvent, { step: string }>;

function applyToStep(step: RunStep, event: StepEvent): RunStep {
  // What is settled changes only by a retry of the run, which begins with a new snapshot.
  if (isSettled(step)) return step;
  switch (event.type) {
    case "step.started": {
      const { waits_until: _, ...rest } = step;
      if (step.status === "running" && event.item !== undefined) return step;
      return {
        ...rest,
        status: "running",
        started_at: step.started_at ?? event.at,
        attempts: attemptsAfter(step, event),
      };
    }
    case "step.waiting":
      if (step.status === "waiting") return step;
      return { ...step, status: "waiting", started_at: step.started_at ?? event.at };
    case "step.retrying":
      if (event.item !== undefined) return step;
      return {
        ...step,
        error: event.error,
        attempts: Math.max(step.attempts, event.attempt),
        waits_until: event.next_at,
      };
    case "step.log":
      return withLog(step, event);
    case "step.succeeded":
      return {
        ...settled(step, event),
        // What only decides, such as a branch, begins and ends at once: there is one event for both.
        started_at: step.started_at ?? event.at,
        status: "succeeded",
        output: event.output ?? null,
        error: null,
      };
    case "step.failed":
      return { ...settled(step, event), status: "failed", error: event.error };
    case "step.skipped":
      return { ...settled(step, event), status: "skipped" };
    case "step.canceled":
      return { ...settled(step, event), status: "canceled" };
    default:
      return step;
  }
}

/** The snapshot leaves out the parts of a log that the first attempt alone has written. */
function withLog(step: RunStep, { lines, item }: StepEvent & { readonly type: "step.log" }): RunStep {
  const { logs = [], log_parts } = step;
  const attempt = item === undefined ? Math.max(1, step.attempts) : 1;
  const before = log_parts ?? withPart([], { lines: logs.length, attempt: 1 });
  const after = withPart(before, omitUndefined({ lines: lines.length, attempt, item }));
  const [only, ...others] = after;
  const isPlain = others.length === 0 && only?.attempt === 1 && only.item === undefined;
  return { ...step, logs: [...logs, ...lines], ...omitUndefined({ log_parts: isPlain ? undefined : [...after] }) };
}

const isSettled = ({ status }: RunStep) => status !== "pending" && status !== "running" && status !== "waiting";

function attemptsAfter(step: RunStep, { at }: { readonly at: string }): number {
  // The snapshot may have this attempt already.
  return step.status === "running" && step.started_at !== null && step.started_at >= at
    ? Math.max(1, step.attempts)
    : step.attempts + 1;
}

function settled(step: RunStep, { at }: { readonly at: string | null }): RunStep {
  const { waits_until: _, ...rest } = step;
  return { ...rest, finished_at: at, started_at: step.started_at };
}

function applyToRun(run: Run, event: RunEvent): Run {
  if (hasEnded(run.status)) return run;
  if (event.type === "run.succeeded")
    return { ...run, status: "succeeded", output: event.output ?? null, finished_at: event.at };
  if (event.type === "run.failed") return { ...run, status: "failed", error: event.error, finished_at: event.at };
  if (event.type === "run.canceled") return { ...run, status: "canceled", finished_at: event.at };
  return run;
}

/** A run is at work while a step is, and waits while all its open steps do. */
function withStatusOfSteps(run: Run): Run {
  if (hasEnded(run.status)) return run;
  const isAtWork = run.steps.some(({ status }) => status === "running");
  const isWaiting = run.steps.some(({ status }) => status === "waiting");
  if (isAtWork && run.status !== "running")
    return { ...run, status: "running", started_at: run.started_at ?? firstStart(run) };
  return !isAtWork && isWaiting && run.status === "running" ? { ...run, status: "waiting" } : run;
}

const firstStart = ({ steps }: Run): string | null =>
  steps.flatMap(({ started_at }) => started_at ?? []).toSorted()[0] ?? null;

/**
 * The snapshot, with the objects of steps that have not changed, so that they are not drawn anew. Outputs are not compared:
 * a step that has ended keeps its own.
 */
export function keepSteps(before: Run | undefined, after: Run): Run {
  if (before === undefined || before.id !== after.id) return after;
  const known = new Map(before.steps.map((step) => [step.key, step]));
  return {
    ...after,
    steps: after.steps.map((step) => {
      const old = known.get(step.key);
      return old !== undefined && isSame(old, step) ? old : step;
    }),
  };
}

function isSame(one: RunStep, other: RunStep): boolean {
  return (
    one.status === other.status &&
    one.started_at === other.started_at &&
    one.finished_at === other.finished_at &&
    one.attempts === other.attempts &&
    one.logs?.length === other.logs?.length &&
    one.log_parts?.length === other.log_parts?.length &&
    one.waits_until === other.waits_until &&
    one.items?.succeeded === other.items?.succeeded &&
    one.items?.failed === other.items?.failed &&
    one.child_runs?.total === other.child_runs?.total &&
    (one.output === null) === (other.output === null) &&
    (one.error === null) === (other.error === null)
  );
}

/** The bars of a step: what it did when. Pure. */
import type { RunStep } from "../../../../../src/runs/run-step.ts";
import type { Step } from "../../../../../src/workflows/step.ts";
import type { Stretch } from "./time-axis.ts";

/**
 * `earlier`: before the tries that are kept. `retry`: before the next try. `delay`: before the next repetition of a loop.
 */
export type BarKind = "running" | "earlier" | "retry" | "delay" | "waiting" | "person";

export interface Bar extends Stretch {
  readonly kind: BarKind;
}

/** A try of a step, as a mark on its bar. */
export interface Try extends Stretch {
  /** From 1: for each repetition by itself. */
  readonly number: number;
  /** Index of the repetition of a loop, or null. */
  readonly part: number | null;
  readonly isFailed: boolean;
}

export interface StepBars {
  readonly bars: readonly Bar[];
  readonly tries: readonly Try[];
}

const NONE: StepBars = { bars: [], tries: [] };

/** A run may begin at another input step than the first one. Nobody answers so fast. */
const START_MS = 5;

/**
 * @param tries Of the details of the step, or what the page has seen; none if it had one only.
 * @param isStart Whether it takes the input of the run: nobody is asked.
 */
export function barsOf(
  step: RunStep,
  definition: Step | undefined,
  tries: readonly Try[],
  now: number,
  isStart = false,
): StepBars {
  if (step.started_at === null) return NONE;
  const from = Date.parse(step.started_at);
  const to = step.finished_at === null ? now : Date.parse(step.finished_at);
  if (step.status === "skipped") return NONE;
  if (waitsForPerson(step, definition) && (step.finished_at === null || (!isStart && to - from > START_MS)))
    return { bars: [{ kind: "person", from, to }], tries: [] };
  const [first] = tries;
  const isWaiting = step.status === "waiting" && (first === undefined || first.part === null);
  if (isWaiting || waits(definition)) return { bars: [{ kind: "waiting", from, to }], tries };
  if (first === undefined) return { bars: [{ kind: "running", from, to }], tries };
  const bars: Bar[] = [];
  let moment = from;
  // A step starts with its first try: it did not wait for it.
  let pause: BarKind = first.number === 1 && (first.part ?? 0) === 0 ? "running" : "earlier";
  for (const one of tries) {
    if (one.from > moment) bars.push({ kind: pause, from: moment, to: one.from });
    bars.push({ kind: "running", from: one.from, to: one.to });
    moment = one.to;
    pause = one.part === null || one.isFailed ? "retry" : "delay";
  }
  const isForOther = step.status === "waiting" && step.waits_until === undefined;
  if (step.finished_at === null && moment < to) bars.push({ kind: isForOther ? "waiting" : pause, from: moment, to });
  return { bars, tries };
}

/** A step in which a person is asked. */
export function waitsForPerson(step: Pick<RunStep, "type">, definition: Step | undefined): boolean {
  return step.type === "input" || (definition?.type === "service" && definition.service.service === "inputs");
}

/** Actions that wait for a moment or an event. */
const WAITING_SERVICES: ReadonlySet<string> = new Set(["scheduler", "events"]);

const waits = (definition: Step | undefined): boolean =>
  definition?.type === "service" && WAITING_SERVICES.has(definition.service.service);

/** Stretches in which something ran, for the axis. */
export function busyStretches(all: readonly StepBars[]): Stretch[] {
  return all.flatMap(({ bars }) => bars.filter(({ kind }) => kind === "running" || kind === "earlier"));
}

/** Validates the graph of a version, and reports every problem with a JSON Pointer. Pure. */
import { hasLoneSurrogate, UNPAIRED } from "../../encoding/url-component.ts";
import type { FieldError } from "../../errors.ts";
import { pointer } from "../../json.ts";
import { didYouMean } from "../../messages/closest-name.ts";
import { connectedSteps, declaredGraph, edgesFrom, type Graph, graphFrom, inputSteps, topological } from "../graph.ts";
import type { Step } from "../step.ts";

/** Yields problems in order, so that callers can stop when they have enough. */
export function* checkGraph(steps: readonly Step[]): Generator<FieldError, void> {
  yield* unreachableKeys(steps);
  yield* duplicateKeys(steps);
  yield* unknownSteps(steps);
  yield* withoutInput(steps);
  yield* cycles(steps);
}

/** Keys that clients cannot send in URLs, such as `/runs/{run_id}/inputs/{step_key}`. */
function* unreachableKeys(steps: readonly Step[]): Generator<FieldError, void> {
  for (const [index, { key }] of steps.entries()) {
    if (hasLoneSurrogate(key)) yield { pointer: `/steps/${index}/key`, message: UNPAIRED };
  }
}

function* duplicateKeys(steps: readonly Step[]): Generator<FieldError, void> {
  const first = new Map<string, number>();
  for (const [index, { key }] of steps.entries()) {
    const before = first.get(key);
    if (before === undefined) first.set(key, index);
    else
      yield {
        pointer: `/steps/${index}/key`,
        message: `Must be unique: step ${before} also has the key ${quoted(key)}.`,
      };
  }
}

function* unknownSteps(steps: readonly Step[]): Generator<FieldError, void> {
  const keys = new Set(steps.map(({ key }) => key));
  for (const [index, step] of steps.entries()) {
    for (const { path, key } of edgesFrom(step)) {
      if (keys.has(key)) continue;
      yield {
        pointer: pointer(["steps", index, ...path]),
        message: `There is no step with the key ${quoted(key)}.${didYouMean(key, keys)}`,
      };
    }
  }
}

function* withoutInput(steps: readonly Step[]): Generator<FieldError, void> {
  if (inputSteps(steps).length > 0) return;
  for (const index of connectedSteps(steps)) {
    yield {
      pointer: `/steps/${index}/input_connected`,
      message: "Has no effect: the workflow has no input step. Add one, or omit the field.",
    };
  }
}

const CYCLE_HINT =
  "To repeat one step, set its loop or for_each. To repeat several, move them to another workflow and run it from a workflow step with loop or for_each.";

/** Finds cycles. A run may start at any input step, and each start has its own graph. */
function* cycles(steps: readonly Step[]): Generator<FieldError, void> {
  const declared = declaredGraph(steps);
  const starts = inputSteps(steps);
  const first = cycleIn(graphFrom(declared, starts[0]));
  const startInCycle = first.length > 0 ? undefined : findStartInCycle(declared, starts);
  const cycle = startInCycle === undefined ? first : cycleIn(graphFrom(declared, startInCycle));
  const [begin] = cycle;
  if (begin === undefined) return;
  const path = [...cycle, begin].map((index) => quoted(steps[index]?.key ?? ""));
  const message = `The steps form a cycle: ${path.join(" → ")}. ${CYCLE_HINT}`;
  yield { pointer: `/steps/${begin}`, message };
}

/** Given steps without a cycle, finds a start that comes after a step connected to it. */
function findStartInCycle({ steps, outgoing }: Graph, starts: readonly number[]): number | undefined {
  const reached = new Set<number>();
  const open = connectedSteps(steps);
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    for (const { to } of outgoing[index] ?? []) {
      if (reached.has(to)) continue;
      reached.add(to);
      open.push(to);
    }
  }
  return starts.find((start) => reached.has(start));
}

/** Finds one cycle: from a step that never becomes free, back along the steps that block it. */
function cycleIn(graph: Graph): number[] {
  const free = new Set(topological(graph));
  const path = new Set<number>();
  let next = graph.steps.findIndex((_, index) => !free.has(index));
  if (next < 0) return [];
  while (!path.has(next)) {
    path.add(next);
    next = graph.incoming[next]?.find(({ from }) => !free.has(from))?.from ?? next;
  }
  const indexes = [...path];
  return indexes.slice(indexes.indexOf(next)).reverse();
}

const quoted = (key: string) => JSON.stringify(key);

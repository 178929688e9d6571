/** Finds the steps whose outcomes still hold when a run continues on another version, or from an earlier step. Pure. */
import { type JsonValue, sortedJson } from "../../json.ts";
import type { Step } from "../../workflows/step.ts";
import type { RunGraph } from "../compile/visible-steps.ts";

export interface KeptSteps {
  /** For each step that keeps its outcome, by its index in the new graph: its index in the old one. */
  readonly sourceOf: ReadonlyMap<number, number>;
  /** Keys of steps that have an outcome and differ. */
  readonly differing: readonly string[];
}

/**
 * A step keeps its outcome if its definition is the same, and that of everything before it. What an editor stores doesn't
 * matter, nor do `destinations`. Those of conditions, `else` and catch routes do.
 * @param hasOutcome Whether the step at this index of the old graph has an outcome to keep.
 * @param redone Index of a step in the new graph that is executed again, with everything after it.
 */
export function keptSteps(
  before: RunGraph,
  after: RunGraph,
  hasOutcome: (index: number) => boolean,
  redone: number | undefined,
): KeptSteps {
  const isRedone = redone === undefined ? () => false : reachableFrom(after, redone);
  const isSame = before === after ? () => true : sameSteps(before, after);
  const sourceOf = new Map<number, number>();
  const differing: string[] = [];
  for (const [index, { key }] of after.steps.entries()) {
    const source = before.indexOf.get(key);
    if (source === undefined || isRedone(index) || !hasOutcome(source)) continue;
    if (isSame(index)) sourceOf.set(index, source);
    else differing.push(key);
  }
  return { sourceOf, differing };
}

function reachableFrom({ outgoing }: RunGraph, start: number): (index: number) => boolean {
  const open = [start];
  const found = new Set(open);
  for (const index of open) {
    for (const { to } of outgoing[index] ?? []) {
      if (found.has(to)) continue;
      found.add(to);
      open.push(to);
    }
  }
  return (index) => found.has(index);
}

/** Returns whether a step of the new graph, and everything before it, is the same in the old one. */
function sameSteps(before: RunGraph, after: RunGraph): (index: number) => boolean {
  const known = new Map<number, boolean>();
  const open: number[] = [];

  function isSameAlone(index: number): boolean {
    const step = after.steps[index];
    const source = step === undefined ? undefined : before.indexOf.get(step.key);
    const old = source === undefined ? undefined : before.steps[source];
    if (step === undefined || source === undefined || old === undefined) return false;
    const isStart = index === after.start;
    return (
      isStart === (source === before.start) &&
      definitionOf(step) === definitionOf(old) &&
      edgesTo(after, index) === edgesTo(before, source)
    );
  }

  /** Without recursion, because a chain may have thousands of steps. The graph has no cycles. */
  return (asked) => {
    open.push(asked);
    for (let index = open.at(-1); index !== undefined; index = open.at(-1)) {
      const earlier = (after.incoming[index] ?? []).map(({ from }) => from);
      const next = earlier.find((from) => !known.has(from));
      if (next !== undefined) open.push(next);
      else {
        known.set(index, isSameAlone(index) && earlier.every((from) => known.get(from) === true));
        open.pop();
      }
    }
    return known.get(asked) === true;
  };
}

function definitionOf({ display, position, size, destinations, ...step }: Step): string {
  return sortedJson(step as unknown as JsonValue); // a step of a stored version is JSON
}

function edgesTo({ incoming, steps }: RunGraph, index: number): string {
  const edges = (incoming[index] ?? []).map(({ from, via, route }) => [
    steps[from]?.key,
    via ?? null,
    via === undefined,
    route,
  ]);
  return JSON.stringify(edges.map((edge) => JSON.stringify(edge)).sort());
}

/**
 * Computes which steps come before which, and which a run can reach. Results for many steps or starts share the work on
 * the common graph, because a start adds only edges of `input_connected`. Pure.
 */
import { connectedSteps, type Graph, inputSteps, topological } from "../graph.ts";
import { addAll, addStep, emptySet, hasStep, removeAll, type StepSet, setOf } from "./step-set.ts";

/** Starts are indexes of input steps; undefined if a version has none. */
export interface Reach {
  /**
   * Steps that come before the one at `index` in runs from this start. The result is undefined for steps in or after a cycle,
   * which prevents a deployment anyway.
   */
  before(start: number | undefined, index: number): StepSet;
  isBefore(start: number | undefined, other: number, index: number): boolean;
  /** Steps that come before it in runs from at least one start. */
  beforeFromAny(index: number): StepSet;
  /** Whether the steps before it are known: it is neither in nor after a cycle. */
  isOrdered(index: number): boolean;
  /** Steps after the start. */
  behind(start: number | undefined): StepSet;
  /**
   * Steps that no run from this start can reach: other input steps without incoming edges or before the start, and the steps
   * that only they lead to.
   */
  unreachable(start: number | undefined): StepSet;
}

export function createReach(drawn: Graph): Reach {
  const { steps, incoming, outgoing } = drawn;
  const size = steps.length;
  const next = outgoing.map((edges) => edges.map(({ to }) => to));
  const connected = connectedSteps(steps);
  const areConnected = setOf(size, connected);
  const order = topological(drawn);
  const ordered = setOf(size, order);
  const before = stepsBefore(drawn, order);
  const isConnectedBefore = before.map((set, index) => hasStep(areConnected, index) || isAnyIn(set, areConnected));
  const inputs = inputSteps(steps);
  const areInputs = setOf(size, inputs);
  const known = new Map<number | undefined, StepSet>();

  const drawnBefore = (index: number) => before[index] ?? emptySet(size);
  /** Whether an edge of `input_connected` leads from this start to the step. */
  const isLedTo = (start: number, index: number) => start !== index && isConnectedBefore[index] === true;

  /** All starts and the steps before them. */
  const starting = setOf(size, inputs);
  for (const input of inputs) addAll(starting, drawnBefore(input));

  /** All steps that can be reached from these. Includes one of these only if an edge leads back to it. */
  function reachedFrom(from: readonly number[], start: number | undefined, passedOver: StepSet): StepSet {
    const found = emptySet(size);
    const open = [...from];
    const visit = (place: number) => {
      if (hasStep(found, place) || hasStep(passedOver, place)) return;
      addStep(found, place);
      open.push(place);
    };
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      for (const place of next[index] ?? []) visit(place);
      if (index === start) for (const place of connected) if (place !== start) visit(place);
    }
    return found;
  }

  function unreachableFrom(start: number | undefined): StepSet {
    const begins = (index: number) =>
      incoming[index]?.length === 0 && (start === undefined || start === index || !hasStep(areConnected, index));
    const isPassedOver = (index: number) =>
      hasStep(areInputs, index) &&
      index !== start &&
      (begins(index) || (start !== undefined && hasStep(drawnBefore(start), index)));
    const passedOver = setOf(size, [...steps.keys()].filter(isPassedOver));
    const roots = [...steps.keys()].filter(
      (index) => index === start || (begins(index) && !hasStep(passedOver, index)),
    );
    const unreachable = setOf(size, steps.keys());
    removeAll(unreachable, reachedFrom(roots, start, passedOver));
    removeAll(unreachable, setOf(size, roots));
    return unreachable;
  }

  return {
    before(start, index) {
      const found = drawnBefore(index).slice();
      if (start === undefined || !isLedTo(start, index)) return found;
      addStep(found, start);
      addAll(found, drawnBefore(start));
      return found;
    },

    isBefore: (start, other, index) =>
      hasStep(drawnBefore(index), other) ||
      (start !== undefined && isLedTo(start, index) && (other === start || hasStep(drawnBefore(start), other))),

    beforeFromAny(index) {
      const found = drawnBefore(index).slice();
      if (isConnectedBefore[index] !== true) return found;
      addAll(found, starting);
      removeAll(found, setOf(size, [index])); // a start is not before itself
      return found;
    },

    isOrdered: (index) => hasStep(ordered, index),

    behind: (start) => (start === undefined ? emptySet(size) : reachedFrom([start], start, emptySet(size))),

    unreachable(start) {
      const found = known.get(start) ?? unreachableFrom(start);
      known.set(start, found);
      return found;
    },
  };
}

/** For each step in order, the steps before it. */
function stepsBefore({ steps, incoming }: Graph, order: readonly number[]): readonly StepSet[] {
  const before = steps.map(() => emptySet(steps.length));
  for (const index of order) {
    const own = before[index];
    if (own === undefined) continue;
    for (const { from } of incoming[index] ?? []) {
      addStep(own, from);
      const more = before[from];
      if (more !== undefined) addAll(own, more);
    }
  }
  return before;
}

function isAnyIn(set: StepSet, others: StepSet): boolean {
  return set.some((word, at) => (word & (others[at] ?? 0)) !== 0);
}

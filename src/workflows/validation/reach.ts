/**
 * Computes which steps come before which, and which a run can reach. Results for many steps or starts share the work on
 * the common graph, because a start adds only edges of `input_connected`. Pure.
 */
import { connectedSteps, type Graph, inputSteps, topological } from "../graph.ts";
import { addAll, addStep, emptySet, hasStep, removeAll, type StepSet, setOf } from "./step-bitset.ts";

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
  after(start: number | undefined): StepSet;
  /**
   * Steps that no run from this start can reach: other input steps without incoming edges or before the start, and the steps
   * that only they lead to.
   */
  unreachable(start: number | undefined): StepSet;
}

export function createReach(declared: Graph): Reach {
  const { steps, incoming, outgoing } = declared;
  const size = steps.length;
  const next = outgoing.map((edges) => edges.map(({ to }) => to));
  const connected = connectedSteps(steps);
  const areConnected = setOf(size, connected);
  const order = topological(declared);
  const ordered = setOf(size, order);
  const before = stepsBefore(declared, order);
  const isConnectedBefore = before.map((set, index) => hasStep(areConnected, index) || isAnyIn(set, areConnected));
  const inputs = inputSteps(steps);
  const areInputs = setOf(size, inputs);
  const known = new Map<number | undefined, StepSet>();

  const declaredBefore = (index: number) => before[index] ?? emptySet(size);
  /** Whether an edge of `input_connected` leads from this start to the step. */
  const isConnectedTo = (start: number, index: number) => start !== index && isConnectedBefore[index] === true;

  /** All starts and the steps before them. */
  const starting = setOf(size, inputs);
  for (const input of inputs) addAll(starting, declaredBefore(input));

  /** All steps that can be reached from these. Includes one of these only if an edge leads back to it. */
  function reachedFrom(from: readonly number[], start: number | undefined, excluded: StepSet): StepSet {
    const found = emptySet(size);
    const open = [...from];
    const visit = (to: number) => {
      if (hasStep(found, to) || hasStep(excluded, to)) return;
      addStep(found, to);
      open.push(to);
    };
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      for (const to of next[index] ?? []) visit(to);
      if (index === start) for (const to of connected) if (to !== start) visit(to);
    }
    return found;
  }

  function unreachableFrom(start: number | undefined): StepSet {
    const isRoot = (index: number) =>
      incoming[index]?.length === 0 && (start === undefined || start === index || !hasStep(areConnected, index));
    const isExcluded = (index: number) =>
      hasStep(areInputs, index) &&
      index !== start &&
      (isRoot(index) || (start !== undefined && hasStep(declaredBefore(start), index)));
    const excluded = setOf(size, [...steps.keys()].filter(isExcluded));
    const roots = [...steps.keys()].filter((index) => index === start || (isRoot(index) && !hasStep(excluded, index)));
    const unreachable = setOf(size, steps.keys());
    removeAll(unreachable, reachedFrom(roots, start, excluded));
    removeAll(unreachable, setOf(size, roots));
    return unreachable;
  }

  return {
    before(start, index) {
      const found = declaredBefore(index).slice();
      if (start === undefined || !isConnectedTo(start, index)) return found;
      addStep(found, start);
      addAll(found, declaredBefore(start));
      return found;
    },

    isBefore: (start, other, index) =>
      hasStep(declaredBefore(index), other) ||
      (start !== undefined &&
        isConnectedTo(start, index) &&
        (other === start || hasStep(declaredBefore(start), other))),

    beforeFromAny(index) {
      const found = declaredBefore(index).slice();
      if (isConnectedBefore[index] !== true) return found;
      addAll(found, starting);
      removeAll(found, setOf(size, [index])); // a start is not before itself
      return found;
    },

    isOrdered: (index) => hasStep(ordered, index),

    after: (start) => (start === undefined ? emptySet(size) : reachedFrom([start], start, emptySet(size))),

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

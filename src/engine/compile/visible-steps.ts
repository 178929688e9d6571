/** Which other steps a step can read: only those that have settled before it starts, in every run. Pure. */
import { downstream, type Graph, graphOf, inputSteps, unreachable, upstream } from "../../workflows/graph.ts";
import type { Step } from "../../workflows/step.ts";

/** The graph of runs that start at one input step, and what follows from it. */
export interface RunGraph extends Graph {
  /** Whether these runs skip a step in any case. */
  readonly isUnreachable: (index: number) => boolean;
  /** Whether a step sees the input as the start step outputs it, with the contents of files. */
  readonly isBehindStart: (index: number) => boolean;
}

export function runGraphOf(steps: readonly Step[], start: number | undefined): RunGraph {
  const graph = graphOf(steps, start);
  const skipped = unreachable(graph);
  const behind = graph.start === undefined ? new Set<number>() : downstream(graph, graph.start);
  return {
    ...graph,
    isUnreachable: (index) => skipped.has(index),
    isBehindStart: (index) => behind.has(index),
  };
}

export interface VisibleSteps {
  /** Places of the steps that the one at `index` can read in a run with this graph, in the order of the version. */
  list(graph: RunGraph, index: number): readonly number[];
  /** Why an expression of the step at `index` cannot name this step; null if it can, wherever a run starts. */
  problem(index: number, key: string): string | null;
}

export function createVisibleSteps(steps: readonly Step[]): VisibleSteps {
  // Other starts give other graphs only where steps are connected to the input.
  const isConnected = steps.some((step) => step.input_connected === true);
  const graphs = (isConnected ? inputSteps(steps) : [inputSteps(steps)[0]]).map((start) => runGraphOf(steps, start));
  const known = graphs.map(() => new Map<number, ReadonlySet<number>>());

  /** Of the steps before one: in the graph of each start. */
  function before(index: number): ReadonlySet<number>[] {
    return graphs.map((graph, at) => {
      const found = known[at]?.get(index) ?? upstream(graph, index);
      known[at]?.set(index, found);
      return found;
    });
  }

  return {
    list(graph, index) {
      const own = upstream(graph, index);
      const all = isConnected ? new Set(before(index).flatMap((found) => [...found])) : own;
      return [...all].filter((other) => own.has(other) || graph.isUnreachable(other)).sort((one, other) => one - other);
    },

    problem(index, key) {
      const named = graphs[0]?.indexOf.get(key) ?? -1;
      const found = before(index);
      if (!found.some((one) => one.has(named))) {
        return `The step ${JSON.stringify(key)} does not come before this one.`;
      }
      const racing = graphs.find(
        (graph, at) => !found[at]?.has(named) && !graph.isUnreachable(named) && !graph.isUnreachable(index),
      );
      if (racing === undefined) return null;
      const [start, own] = [racing.start, index].map((at) => JSON.stringify(steps[at ?? -1]?.key));
      return (
        `A run that starts at ${start} does not wait for the step ${JSON.stringify(key)} here. ` +
        `Add ${own} to the destinations of ${JSON.stringify(key)}.`
      );
    },
  };
}

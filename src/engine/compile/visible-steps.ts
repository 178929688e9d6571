/** Which other steps a step can read: only those that have settled before it starts, in every run. Pure. */
import { connectedSteps, drawnGraph, type Graph, graphFrom, inputSteps } from "../../workflows/graph.ts";
import type { Step } from "../../workflows/step.ts";
import { createReach } from "../../workflows/validation/reach.ts";
import { addAll, hasStep, keepAll, placesIn } from "../../workflows/validation/step-set.ts";

/** The graph of runs that start at one input step, and what follows from it. */
export interface RunGraph extends Graph {
  /** Whether these runs skip a step in any case. */
  readonly isUnreachable: (index: number) => boolean;
  /** Whether a step sees the input as the start step outputs it, with the contents of files. */
  readonly isBehindStart: (index: number) => boolean;
}

export interface VisibleSteps {
  /** The graph of runs from this start. */
  graphFrom(start: number | undefined): RunGraph;
  /** Places of the steps that the one at `index` can read in runs from this start, in the order of the version. */
  list(start: number | undefined, index: number): readonly number[];
  /** Why an expression of the step at `index` cannot name this step; null if it can, wherever a run starts. */
  problem(index: number, key: string): string | null;
}

export function createVisibleSteps(steps: readonly Step[]): VisibleSteps {
  const drawn = drawnGraph(steps);
  const reach = createReach(drawn);
  // Other starts give other graphs only where steps are connected to the input.
  const isConnected = connectedSteps(steps).length > 0;
  const starts = isConnected ? inputSteps(steps) : [inputSteps(steps)[0]];

  /** A start from which runs reach both steps, and carry the one out without waiting for the other. */
  function racing(index: number, named: number): number | undefined {
    return starts.find((start) => {
      const skipped = reach.unreachable(start);
      if (hasStep(skipped, named) || hasStep(skipped, index)) return false;
      return !reach.isBefore(start, named, index);
    });
  }

  return {
    graphFrom(start) {
      const skipped = reach.unreachable(start);
      const behind = reach.behind(start);
      return {
        ...graphFrom(drawn, start),
        isUnreachable: (index) => hasStep(skipped, index),
        isBehindStart: (index) => hasStep(behind, index),
      };
    },

    list(start, index) {
      const found = reach.before(start, index);
      if (!isConnected) return placesIn(found);
      addAll(found, reach.unreachable(start));
      keepAll(found, reach.beforeFromAny(index));
      return placesIn(found);
    },

    problem(index, key) {
      const named = drawn.indexOf.get(key) ?? -1;
      // A cycle is a problem of its own, and what it hides is told once it is gone.
      if (named >= 0 && !reach.isOrdered(index)) return null;
      const all = reach.beforeFromAny(index);
      if (!hasStep(all, named)) return `The step ${JSON.stringify(key)} does not run before this one.`;
      const start = racing(index, named);
      if (start === undefined) return null;
      const [first, own] = [start, index].map((at) => JSON.stringify(steps[at]?.key));
      return (
        `A run that starts at ${first} does not wait for the step ${JSON.stringify(key)} here. ` +
        `Add ${own} to the destinations of ${JSON.stringify(key)}.`
      );
    },
  };
}

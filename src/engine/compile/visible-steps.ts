/** Decides which steps another step can read: those that have settled before it starts in every run. Pure. */
import { didYouMean } from "../../messages/closest-name.ts";
import { connectedSteps, declaredGraph, type Graph, graphFrom, inputSteps } from "../../workflows/graph.ts";
import type { Step } from "../../workflows/step.ts";
import { createReach } from "../../workflows/validation/reach.ts";
import { addAll, hasStep, indexesIn, keepAll } from "../../workflows/validation/step-bitset.ts";

/** Each compares all keys, and a workflow may have thousands of expressions. */
const MAX_SUGGESTIONS = 100;

/** The graph of runs that start at one input step, with the reachability that follows from the start. */
export interface RunGraph extends Graph {
  /** Whether these runs always skip the step. */
  readonly isUnreachable: (index: number) => boolean;
  /** Whether the step sees the start step's output, with file contents, as its input. */
  readonly isAfterStart: (index: number) => boolean;
}

export interface VisibleSteps {
  /** Returns the graph of runs from this start. */
  graphFrom(start: number | undefined): RunGraph;
  /** Indexes of the steps that the step at `index` can read in runs from this start, in version order. */
  list(start: number | undefined, index: number): readonly number[];
  /**
   * Returns why an expression of the step at `index` cannot name this step, or null if it can in runs from any start.
   */
  problem(index: number, key: string): string | null;
}

export function createVisibleSteps(steps: readonly Step[]): VisibleSteps {
  const declared = declaredGraph(steps);
  const reach = createReach(declared);
  // The graph depends on the start only if steps are connected to the input.
  const isConnected = connectedSteps(steps).length > 0;
  const starts = isConnected ? inputSteps(steps) : [inputSteps(steps)[0]];

  /** Finds a start whose runs reach both steps without the step at `index` waiting for `named`. */
  function findRacingStart(index: number, named: number): number | undefined {
    return starts.find((start) => {
      const skipped = reach.unreachable(start);
      if (hasStep(skipped, named) || hasStep(skipped, index)) return false;
      return !reach.isBefore(start, named, index);
    });
  }

  let suggestions = 0;

  function noStep(key: string): string {
    const hint = suggestions++ < MAX_SUGGESTIONS ? didYouMean(key, declared.indexOf.keys()) : "";
    return `There is no step with the key ${JSON.stringify(key)}.${hint}`;
  }

  return {
    graphFrom(start) {
      const skipped = reach.unreachable(start);
      const after = reach.after(start);
      return {
        ...graphFrom(declared, start),
        isUnreachable: (index) => hasStep(skipped, index),
        isAfterStart: (index) => hasStep(after, index),
      };
    },

    list(start, index) {
      const found = reach.before(start, index);
      if (!isConnected) return indexesIn(found);
      addAll(found, reach.unreachable(start));
      keepAll(found, reach.beforeFromAny(index));
      return indexesIn(found);
    },

    problem(index, key) {
      const named = declared.indexOf.get(key) ?? -1;
      // Report the cycle first: it hides other problems, which are reported once it is fixed.
      if (named >= 0 && !reach.isOrdered(index)) return null;
      const all = reach.beforeFromAny(index);
      if (named < 0) return noStep(key);
      if (!hasStep(all, named)) return `The step ${JSON.stringify(key)} does not run before this one.`;
      const start = findRacingStart(index, named);
      if (start === undefined) return null;
      const [first, own] = [start, index].map((at) => JSON.stringify(steps[at]?.key));
      return (
        `A run that starts at ${first} does not wait for the step ${JSON.stringify(key)} here. ` +
        `Add ${own} to the destinations of ${JSON.stringify(key)}.`
      );
    },
  };
}

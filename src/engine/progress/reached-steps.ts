/** Decides which steps are ready: those whose incoming edges have all settled. */
import type { Edge } from "../../workflows/graph.ts";
import type { RunGraph } from "../compile/visible-steps.ts";

export interface ReachedSteps {
  /** The steps without incoming edges. */
  roots(): number[];
  /** Whether the run has taken any incoming edge of a ready step. Otherwise it is skipped. */
  isReached(index: number): boolean;
  /** Takes the edges of a settled step. Returns the steps that become ready. */
  leave(index: number, isTaken: (edge: Edge) => boolean): number[];
}

export function createReachedSteps(graph: RunGraph): ReachedSteps {
  /** Number of incoming edges per step that have not settled. */
  const pendingEdges = graph.incoming.map((edges) => edges.length);
  const reached = pendingEdges.map((edges, index) => edges === 0 && !graph.isUnreachable(index));
  if (graph.start !== undefined) reached[graph.start] = true;

  return {
    roots: () => [...pendingEdges.keys()].filter((index) => pendingEdges[index] === 0),
    isReached: (index) => reached[index] === true,
    leave(index, isTaken) {
      const ready: number[] = [];
      for (const edge of graph.outgoing[index] ?? []) {
        const { to } = edge;
        const remaining = (pendingEdges[to] ?? 0) - 1;
        pendingEdges[to] = remaining;
        if (isTaken(edge) && !graph.isUnreachable(to)) reached[to] = true;
        if (remaining === 0) ready.push(to);
      }
      return ready;
    },
  };
}

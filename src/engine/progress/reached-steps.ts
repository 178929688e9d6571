/** Decides which steps are ready: those whose incoming edges have all settled. */
import type { Edge } from "../../workflows/graph.ts";
import type { RunGraph } from "../compile/visible-steps.ts";

export class ReachedSteps {
  private readonly graph: RunGraph;
  /** Number of incoming edges per step that have not settled. */
  private readonly pendingEdges: number[];
  private readonly reached: boolean[];

  constructor(graph: RunGraph) {
    this.graph = graph;
    this.pendingEdges = graph.incoming.map((edges) => edges.length);
    this.reached = this.pendingEdges.map((edges, index) => edges === 0 && !graph.isUnreachable(index));
    if (graph.start !== undefined) this.reached[graph.start] = true;
  }

  /** The steps without incoming edges. */
  roots(): number[] {
    const roots: number[] = [];
    for (const [index, edges] of this.pendingEdges.entries()) if (edges === 0) roots.push(index);
    return roots;
  }

  /** Whether the run has taken any incoming edge of a ready step. Otherwise it is skipped. */
  isReached(index: number): boolean {
    return this.reached[index] === true;
  }

  /** Takes the edges of a settled step. Returns the steps that become ready. */
  leave(index: number, isTaken: (edge: Edge) => boolean): number[] {
    const ready: number[] = [];
    for (const edge of this.graph.outgoing[index] ?? []) {
      const { to } = edge;
      const remaining = (this.pendingEdges[to] ?? 0) - 1;
      this.pendingEdges[to] = remaining;
      if (isTaken(edge) && !this.graph.isUnreachable(to)) this.reached[to] = true;
      if (remaining === 0) ready.push(to);
    }
    return ready;
  }
}

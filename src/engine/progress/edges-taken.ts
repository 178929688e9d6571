/** Decides which edges a run takes after a step has settled. Pure. */
import type { JsonObject, JsonValue } from "../../json.ts";
import type { Edge } from "../../workflows/graph.ts";
import type { CompiledStep } from "../compile/plan.ts";

export const NO_EDGE = () => false;
const ORDINARY_EDGES = ({ route }: Edge) => route === undefined;

/**
 * Returns a predicate for the outgoing edges of a step. A branch takes the edges of its choice. If it was skipped, or
 * failed and the run continues anyway, no condition was met and it takes `else`.
 */
export function edgesTaken({ step }: CompiledStep, output: JsonValue): (edge: Edge) => boolean {
  if (step.type !== "branch") return ORDINARY_EDGES;
  const choice = (output as JsonObject | null)?.["taken"] ?? null; // the shape of a branch's output
  return ({ via, route }) => route === undefined && (via === undefined || via === choice);
}

/** Returns a predicate for the edges of a failed step whose error a catch route caught. */
export const edgesOfRoute = (caught: number) => (edge: Edge) => edge.route === caught;

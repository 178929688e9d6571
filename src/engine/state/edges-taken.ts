/** Which edges a run takes after a step has settled. Pure. */
import type { JsonObject, JsonValue } from "../../json.ts";
import type { Edge } from "../../workflows/graph.ts";
import type { CompiledStep } from "../compile/plan.ts";

export const NO_EDGE = () => false;
const EVERY_EDGE = () => true;

/**
 * The edges that are taken behind a step. Of a branch those of what it chose; where it was turned off or failed and the
 * run goes on all the same, no condition was met: its `else`.
 */
export function edgesTaken({ step }: CompiledStep, output: JsonValue): (edge: Edge) => boolean {
  if (step.type !== "branch") return EVERY_EDGE;
  const choice = (output as JsonObject | null)?.["taken"] ?? null; // the shape of a branch's output
  return ({ via }) => via === undefined || via === choice;
}

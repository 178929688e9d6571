/** What a retry runs again, and what it keeps. Pure. */
import type { RunStep } from "../../../../../src/runs/run-step.ts";
import type { CanvasGraph } from "../../canvas/canvas-graph.ts";

export interface RetriedSteps {
  readonly again: readonly string[];
  readonly kept: readonly string[];
}

/**
 * @param graph Null if the definition is gone: then a step from which the run continues can't be chosen.
 * @param fromStep Step that is executed again with all after it; null for those that have not succeeded.
 */
export function retriedSteps(
  steps: readonly RunStep[],
  graph: CanvasGraph | null,
  fromStep: string | null,
): RetriedSteps {
  const after = fromStep === null || graph === null ? new Set<string>() : stepsFrom(graph, fromStep);
  const isKept = ({ key, status }: RunStep) => (status === "succeeded" || status === "skipped") && !after.has(key);
  const real = steps.filter(({ type }) => type !== "note");
  return {
    again: real.filter((step) => !isKept(step)).map(({ key }) => key),
    kept: real.filter(isKept).map(({ key }) => key),
  };
}

function stepsFrom({ outgoing }: CanvasGraph, first: string): ReadonlySet<string> {
  const found = new Set([first]);
  for (const id of found) for (const { to } of outgoing.get(id) ?? []) found.add(to);
  return found;
}

/** Which edges a run took. Pure. */
import { isRecord } from "../../../../src/json.ts";
import type { RunStep } from "../../../../src/runs/run-step.ts";
import type { Step } from "../../../../src/workflows/step.ts";
import type { CanvasEdge, CanvasGraph } from "../canvas/canvas-graph.ts";
import type { EdgeMark } from "../canvas/canvas-store.ts";
import { stepsInOrder } from "../canvas/placing/steps-in-order.ts";

/** @param values What conditions read, by the ids of their edges. */
export function takenEdges(
  graph: CanvasGraph,
  definitions: ReadonlyMap<string, Step>,
  runSteps: readonly RunStep[],
  values: ReadonlyMap<string, string>,
): ReadonlyMap<string, EdgeMark> {
  const states = new Map(runSteps.map((step) => [step.key, step]));
  const marks = new Map<string, EdgeMark>();
  const passed = new Set<string>();
  for (const id of stepsInOrder(graph)) {
    const state = states.get(id);
    const definition = definitions.get(id);
    const incoming = graph.incoming.get(id) ?? [];
    const isReached = incoming.length === 0 || incoming.some((edge) => passed.has(edge.id));
    // A step whose condition does not hold is skipped, and the run continues with what follows.
    const isPassedOver = state?.status === "skipped" && definition?.conditional !== undefined && isReached;
    for (const edge of graph.outgoing.get(id) ?? []) {
      const isLeft = state !== undefined && leaves(edge, state, isPassedOver);
      const target = states.get(edge.to);
      const isArrived = target !== undefined && (target.started_at !== null || isConditional(definitions.get(edge.to)));
      const isTaken = isLeft && isArrived && target.status !== "pending";
      if (isTaken) passed.add(edge.id);
      const detail = values.get(edge.id);
      marks.set(edge.id, detail === undefined ? { isTaken } : { isTaken, detail });
    }
  }
  return marks;
}

const isConditional = (step: Step | undefined) => step?.conditional !== undefined;

/** Whether the run left a step by an edge. */
function leaves({ port }: CanvasEdge, state: RunStep, isPassedOver: boolean): boolean {
  if (port.kind === "error") return state.status === "failed";
  if (port.kind === "next" || port.kind === "start")
    return state.status === "succeeded" || isPassedOver || state.status === "failed";
  if (state.status !== "succeeded" || !isRecord(state.output)) return false;
  const { taken } = state.output;
  return port.kind === "else" ? taken === null : taken === port.name;
}

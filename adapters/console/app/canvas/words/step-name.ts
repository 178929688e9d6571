/** What screen readers say of a step, such as "fetch, HTTP request, 2 of 7, failed after 3 tries, leads to size". Pure. */
import type { Messages } from "../../texts/messages.ts";
import type { CanvasEdge, CanvasGraph } from "../canvas-graph.ts";
import type { StepMark } from "../canvas-store.ts";
import { nameOfPort } from "./label-words.tsx";

const MAX_NAMED = 5;

export function stepName(graph: CanvasGraph, id: string, mark: StepMark | undefined, texts: Messages): string {
  const step = graph.steps.get(id);
  if (step === undefined) return id;
  const { canvas, statuses } = texts;
  const targets = [...new Set((graph.outgoing.get(id) ?? []).map((edge) => targetOf(graph, edge, canvas)))];
  const status = mark?.spoken ?? (mark?.status === undefined ? "" : statuses[mark.status].toLowerCase());
  return [
    step.key,
    canvas.types[step.type],
    canvas.place(step.index + 1, graph.order.length),
    ...step.features.map((feature) => canvas.features[feature]),
    status,
    mark?.problems === undefined || mark.problems === 0 ? "" : canvas.problems(mark.problems),
    mark?.change === undefined ? "" : canvas.changes[mark.change],
    targets.length === 0
      ? canvas.leadsNowhere
      : canvas.leadsTo(targets.slice(0, MAX_NAMED).join(", "), Math.max(0, targets.length - MAX_NAMED)),
  ]
    .filter((part) => part !== "")
    .join(", ");
}

/** Where an edge leads, with what it depends on. */
function targetOf(graph: CanvasGraph, edge: CanvasEdge, texts: Messages["canvas"]): string {
  const key = graph.steps.get(edge.to)?.key ?? edge.to;
  const way = nameOfPort(texts, edge);
  return way === null ? key : `${key} (${way})`;
}

/** Where the labels and the "+" of edges stand that would lie over steps or each other. Pure. */
import { type CanvasGraph, portId } from "../canvas-graph.ts";
import { edgeLine } from "./edge-path.ts";
import { BUTTON, labelHeight, labelWidth } from "./label-size.ts";
import { portX } from "./place-exits.ts";
import type { PlacedSteps, Point } from "./placement.ts";
import { boxAround, type TakenRoom } from "./taken-room.ts";

/**
 * Takes the room of all steps and labels.
 *
 * @param hasButtons Whether edges have a "+".
 * @returns How far labels are moved from the middle of their lines, by the ids of edges.
 */
export function placeLabels(
  { steps, edges }: CanvasGraph,
  { points, bends }: PlacedSteps,
  hasButtons: boolean,
  taken: TakenRoom,
): ReadonlyMap<string, Point> {
  for (const { id, width, height } of steps.values()) {
    const corner = points.get(id);
    if (corner !== undefined) taken.add({ ...corner, width, height });
  }
  const moved = new Map<string, Point>();
  for (const edge of edges.values()) {
    const [from, to] = [steps.get(edge.from), steps.get(edge.to)];
    const [start, end] = [points.get(edge.from), points.get(edge.to)];
    if (from === undefined || to === undefined || start === undefined || end === undefined) continue;
    if (edge.port.kind === "start" || (edge.label === null && !hasButtons)) continue;
    const bent = bends.get(edge.id) ?? [];
    const { label } = edgeLine(
      { x: start.x + portX(from, portId(edge.port)), y: start.y + from.height },
      { x: end.x + to.width / 2, y: end.y },
      bent,
    );
    const box = boxAround(label, Math.max(labelWidth(edge), BUTTON), labelHeight(edge));
    // The layout has kept room where a line bends.
    const free = bent.length > 0 ? box : taken.near(box);
    taken.add(free);
    if (free !== box) moved.set(edge.id, { x: free.x - box.x, y: free.y - box.y });
  }
  return moved;
}

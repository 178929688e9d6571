/** Where the labels and the "+" of edges stand that would lie over steps or each other. Pure. */
import { type CanvasGraph, portId } from "../canvas-graph.ts";
import { edgeLine, pointsOf } from "./edge-path.ts";
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
  const lines = [...edges.values()].flatMap((edge) => {
    const [from, to] = [steps.get(edge.from), steps.get(edge.to)];
    const [start, end] = [points.get(edge.from), points.get(edge.to)];
    if (from === undefined || to === undefined || start === undefined || end === undefined) return [];
    if (edge.port.kind === "start" || (edge.label === null && !hasButtons)) return [];
    const bent = bends.get(edge.id) ?? [];
    const line = edgeLine(
      { x: start.x + portX(from, portId(edge.port)), y: start.y + from.height },
      { x: end.x + to.width / 2, y: end.y },
      bent,
    );
    const box = boxAround(line.label, Math.max(labelWidth(edge), BUTTON), labelHeight(edge));
    return [{ id: edge.id, line, box, isBent: bent.length > 0 }];
  });
  // The layout has kept room where a line bends, unless somebody has moved a step there.
  const kept = new Set(lines.filter(({ isBent, box }) => isBent && taken.isFree(box)));
  for (const { box } of kept) taken.add(box);
  const moved = new Map<string, Point>();
  for (const one of lines) {
    if (kept.has(one)) continue;
    const { id, line, box } = one;
    const free = taken.isFree(box) ? box : taken.along(box, pointsOf(line));
    taken.add(free);
    if (free !== box) moved.set(id, { x: free.x - box.x, y: free.y - box.y });
  }
  return moved;
}

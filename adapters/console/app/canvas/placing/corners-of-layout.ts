/** Where steps stand that have no position of their own. Pure. */
import type { CanvasGraph } from "../canvas-graph.ts";
import type { Corners } from "../editing.ts";
import type { PlacedSteps } from "./placement.ts";

export function cornersOfLayout({ steps }: CanvasGraph, { points }: Pick<PlacedSteps, "points">): Corners {
  const corners = new Map<string, readonly [number, number]>();
  for (const { id, position } of steps.values()) {
    const point = position === null ? points.get(id) : undefined;
    if (point !== undefined) corners.set(id, [point.x, point.y]);
  }
  return corners;
}

/** Where the arrow keys lead on a canvas: up and down along edges, left and right between branches. Pure. */
import type { CanvasGraph } from "./canvas-graph.ts";
import type { Placement, Point } from "./placing/placement.ts";

export type Direction = "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight" | "Home" | "End";

const DIRECTIONS: ReadonlySet<string> = new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"]);
export const isDirection = (key: string): key is Direction => DIRECTIONS.has(key);

/** @returns The id of the step that a key leads to; null for none. */
export function stepTowards(
  graph: CanvasGraph,
  { points }: Placement,
  from: string,
  direction: Direction,
): string | null {
  const { order } = graph;
  if (direction === "Home") return order[0] ?? null;
  if (direction === "End") return order.at(-1) ?? null;
  const centerOf = (id: string): Point => {
    const point = points.get(id) ?? { x: 0, y: 0 };
    return { x: point.x + (graph.steps.get(id)?.width ?? 0) / 2, y: point.y + (graph.steps.get(id)?.height ?? 0) / 2 };
  };
  const here = centerOf(from);
  const nearest = (ids: readonly string[]) => {
    const distance = (id: string) => Math.hypot(centerOf(id).x - here.x, centerOf(id).y - here.y);
    return ids.toSorted((one, other) => distance(one) - distance(other))[0] ?? null;
  };
  const before = (graph.incoming.get(from) ?? []).map((edge) => edge.from).filter((id) => id !== from);
  const after = (graph.outgoing.get(from) ?? []).map((edge) => edge.to).filter((id) => id !== from);
  const at = order.indexOf(from);
  // Steps without edges, such as notes, are reached in the order of the definition.
  if (direction === "ArrowDown") return nearest(after) ?? (before.length === 0 ? (order[at + 1] ?? null) : null);
  if (direction === "ArrowUp") return nearest(before) ?? (after.length === 0 ? (order[at - 1] ?? null) : null);
  const isLeft = direction === "ArrowLeft";
  const isThere = (id: string) => id !== from && (isLeft ? centerOf(id).x < here.x : centerOf(id).x > here.x);
  const siblings = before.flatMap((id) => graph.outgoing.get(id) ?? []).map((edge) => edge.to);
  const height = graph.steps.get(from)?.height ?? 0;
  const beside = order.filter((id) => Math.abs(centerOf(id).y - here.y) <= height);
  return nearest(siblings.filter(isThere)) ?? nearest(beside.filter(isThere));
}

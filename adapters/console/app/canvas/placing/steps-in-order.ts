/** The steps of a canvas in the order of a run. Pure. */
import type { CanvasGraph } from "../canvas-graph.ts";

/** @returns The ids of the steps, each after those that lead to it. Where steps lead in a circle, they come last. */
export function stepsInOrder({ order, outgoing, incoming }: CanvasGraph): readonly string[] {
  const open = new Map(order.map((id) => [id, incoming.get(id)?.length ?? 0]));
  const sorted = order.filter((id) => open.get(id) === 0);
  for (const id of sorted) {
    for (const { to } of outgoing.get(id) ?? []) {
      const left = (open.get(to) ?? 0) - 1;
      open.set(to, left);
      if (left === 0) sorted.push(to);
    }
  }
  const known = new Set(sorted);
  return [...sorted, ...order.filter((id) => !known.has(id))];
}

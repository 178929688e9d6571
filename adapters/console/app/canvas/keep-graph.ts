/** The graph of changed steps, with the objects of what looks as before: typing into a step draws no other one anew. Pure. */
import type { CanvasGraph } from "./canvas-graph.ts";

/** @returns The graph from before if nothing in it has changed. */
export function keepGraph(before: CanvasGraph, after: CanvasGraph): CanvasGraph {
  const steps = keepEntries(before.steps, after.steps);
  const edges = keepEntries(before.edges, after.edges);
  const exits = keepEntries(before.exits, after.exits);
  const isKept = steps === before.steps && edges === before.edges && exits === before.exits;
  if (isKept && isSame(before.order, after.order)) return before;
  const kept = <Edge extends { readonly id: string }>(ends: ReadonlyMap<string, readonly Edge[]>) =>
    new Map([...ends].map(([id, some]) => [id, some.flatMap((edge) => edges.get(edge.id) ?? [])]));
  return { steps, edges, exits, outgoing: kept(after.outgoing), incoming: kept(after.incoming), order: after.order };
}

function keepEntries<Entry>(before: ReadonlyMap<string, Entry>, after: ReadonlyMap<string, Entry>) {
  let isChanged = before.size !== after.size;
  const entries = new Map<string, Entry>();
  for (const [id, entry] of after) {
    const old = before.get(id);
    const isKept = old !== undefined && isSame(old, entry);
    if (!isKept) isChanged = true;
    entries.set(id, isKept ? old : entry);
  }
  return isChanged ? entries : before;
}

/** Both were made by the same function, so their fields have the same order. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

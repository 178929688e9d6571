/** Collects which other steps' results a step receives. */
import type { RunGraph } from "./visible-steps.ts";

/** Which other steps a step reads: those that its expressions name, or all that it can see. */
export interface Reads {
  add(keys: readonly string[] | "all"): void;
  of(graph: RunGraph): readonly number[];
}

/**
 * @param all Computes all visible steps. Not cached: with thousands of steps, the lists would take quadratic memory.
 */
export function createReads(all: (graph: RunGraph) => readonly number[]): Reads {
  const named = new Set<string>();
  let isAll = false;
  let indexes: readonly number[] | undefined;
  return {
    add(keys) {
      if (keys === "all") isAll = true;
      else for (const key of keys) named.add(key);
    },
    of(graph) {
      if (isAll) return all(graph);
      indexes ??= [...named].flatMap((key) => graph.indexOf.get(key) ?? []);
      return indexes;
    },
  };
}

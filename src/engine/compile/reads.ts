/** What a step is given of the others. */
import type { RunGraph } from "./visible-steps.ts";

/** Which other steps a step reads: those that its texts name, or all that it can. */
export interface Reads {
  add(keys: readonly string[] | "all"): void;
  of(graph: RunGraph): readonly number[];
}

/** @param all Not kept: a step behind thousands of others would hold them all, and so would each behind it. */
export function createReads(all: (graph: RunGraph) => readonly number[]): Reads {
  const named = new Set<string>();
  let isAll = false;
  let places: readonly number[] | undefined;
  return {
    add(keys) {
      if (keys === "all") isAll = true;
      else for (const key of keys) named.add(key);
    },
    of(graph) {
      if (isAll) return all(graph);
      places ??= [...named].flatMap((key) => graph.indexOf.get(key) ?? []);
      return places;
    },
  };
}

/** The graph of the steps. It stays the same object while nothing that a canvas shows has changed. */
import { useMemo, useRef } from "react";
import type { Step } from "../../../../src/workflows/step.ts";
import { type CanvasGraph, canvasGraphOf } from "./canvas-graph.ts";
import { keepGraph } from "./keep-graph.ts";

export function useGraph(steps: readonly Step[]): CanvasGraph {
  const shown = useRef<CanvasGraph | null>(null);
  return useMemo(() => {
    const graph = canvasGraphOf(steps);
    shown.current = shown.current === null ? graph : keepGraph(shown.current, graph);
    return shown.current;
  }, [steps]);
}

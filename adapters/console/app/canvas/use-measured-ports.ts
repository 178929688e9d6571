/**
 * The library draws an edge only from a port that it has measured. It measures a step when it is new, and looks for other
 * ports of it only when it is asked to: here, once for all steps whose ports have changed.
 */
import { useStoreApi } from "@xyflow/react";
import { type RefObject, useLayoutEffect, useRef } from "react";
import type { CanvasGraph } from "./canvas-graph.ts";
import { flowId } from "./flow-id.ts";

export function useMeasuredPorts(room: RefObject<HTMLElement | null>, { steps }: CanvasGraph): void {
  const flow = useStoreApi();
  const measured = useRef<ReadonlyMap<string, string>>(new Map());
  useLayoutEffect(() => {
    const before = measured.current;
    const ports = new Map([...steps].map(([id, step]) => [id, JSON.stringify(step.ports)]));
    measured.current = ports;
    const changed = [...ports].filter(([id, now]) => before.has(id) && before.get(id) !== now);
    if (changed.length === 0) return undefined;
    // After the step has drawn them.
    const frame = requestAnimationFrame(() => {
      const elements = changed.flatMap(([id]) => {
        const place = `.react-flow__node[data-id="${flowId(id)}"]`;
        const nodeElement = room.current?.querySelector<HTMLDivElement>(place) ?? null;
        return nodeElement === null ? [] : [[id, { id: flowId(id), nodeElement, force: true }] as const];
      });
      flow.getState().updateNodeInternals(new Map(elements), { triggerFitView: false });
    });
    return () => cancelAnimationFrame(frame);
  }, [flow, room, steps]);
}

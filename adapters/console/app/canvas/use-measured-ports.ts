/**
 * The library draws an edge only from a port that it has measured. It measures a step when it is new, and looks for other
 * ports of it only when it is asked to: here, once for all steps whose ports have changed.
 */
import { useStoreApi } from "@xyflow/react";
import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { CanvasGraph } from "./canvas-graph.ts";
import { flowId } from "./flow-id.ts";

export function useMeasuredPorts(room: RefObject<HTMLElement | null>, { steps }: CanvasGraph): void {
  const flow = useStoreApi();
  const known = useRef<ReadonlyMap<string, string>>(new Map());
  const [unmeasured] = useState(() => new Set<string>());
  useLayoutEffect(() => {
    const before = known.current;
    known.current = new Map([...steps].map(([id, step]) => [id, JSON.stringify(step.ports)]));
    for (const [id, ports] of known.current) if (before.has(id) && before.get(id) !== ports) unmeasured.add(id);
    if (unmeasured.size === 0) return undefined;
    // After the steps have drawn them. With another change before that, those of both changes are measured.
    const frame = requestAnimationFrame(() => {
      const elements = [...unmeasured].flatMap((id) => {
        const place = `.react-flow__node[data-id="${flowId(id)}"]`;
        const nodeElement = room.current?.querySelector<HTMLDivElement>(place) ?? null;
        return nodeElement === null ? [] : [[id, { id: flowId(id), nodeElement, force: true }] as const];
      });
      unmeasured.clear();
      flow.getState().updateNodeInternals(new Map(elements), { triggerFitView: false });
    });
    return () => cancelAnimationFrame(frame);
  }, [flow, room, steps, unmeasured]);
}

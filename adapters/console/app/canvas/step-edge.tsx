/** An edge of the canvas: solid where a run always goes, dashed for `else`, red for a catch route, dotted from the start. */
import { BaseEdge, type EdgeProps } from "@xyflow/react";
import { memo } from "react";
import { createPortal } from "react-dom";
import { useTexts } from "../texts/language.ts";
import { AddButton } from "./add-button.tsx";
import { type CanvasEdge, type CanvasGraph, type CanvasStep, edgeId, portId, portOf } from "./canvas-graph.ts";
import { type EdgeMark, useCanvas } from "./canvas-store.ts";
import type { NewPlace } from "./editing.ts";
import { edgeLine } from "./placing/edge-path.ts";
import type { Point } from "./placing/placement.ts";
import { LabelWords } from "./words/label-words.tsx";

type EdgePlace = Pick<EdgeProps, "id" | "sourceX" | "sourceY" | "targetX" | "targetY" | "selected">;

/** Distance at which a step no longer stands where the layout has put it. */
const MOVED = 8;

const ON_LINE: Point = { x: 0, y: 0 };

export const StepEdge = memo(function StepEdge({ id, sourceX, sourceY, targetX, targetY, selected }: EdgePlace) {
  const edge = useCanvas(({ graph }) => graph.edges.get(id));
  const mark = useCanvas(({ edgeMarks }) => edgeMarks?.get(id));
  const isMarked = useCanvas(({ edgeMarks }) => edgeMarks !== null);
  const end = useCanvas(({ placement }) => placement.points.get(edge?.to ?? ""));
  const bends = useCanvas(({ placement }) => placement.bends.get(id)) ?? [];
  const moved = useCanvas(({ placement }) => placement.labels.get(id)) ?? ON_LINE;
  if (edge === undefined) return null;
  const isMoved = end === undefined || Math.abs(end.y - targetY) > MOVED;
  const line = edgeLine({ x: sourceX, y: sourceY }, { x: targetX, y: targetY }, isMoved ? [] : bends);
  const at = { x: line.label.x + moved.x, y: line.label.y + moved.y };
  const taken = mark?.isTaken === true ? "taken" : isMarked ? "not-taken" : "";
  return (
    <>
      <BaseEdge
        path={line.path}
        className={`canvas-edge ${edge.port.kind} ${taken} ${selected === true ? "selected" : ""}`}
        markerEnd={`url(#canvas-tip${taken === "" ? "" : `-${taken}`})`}
        interactionWidth={16}
      />
      <EdgeLabel edge={edge} mark={mark} at={at} taken={taken} />
    </>
  );
});

interface EdgeLabelProps {
  readonly edge: CanvasEdge;
  readonly mark: EdgeMark | undefined;
  readonly at: Point;
  readonly taken: string;
}

function EdgeLabel({ edge, mark, at, taken }: EdgeLabelProps) {
  const { canvas } = useTexts();
  const editing = useCanvas((state) => state.editing);
  const labels = useCanvas((state) => state.labels);
  const start = useCanvas(({ graph }) => graph.steps.get(edge.from));
  const end = useCanvas(({ graph }) => graph.steps.get(edge.to));
  if (labels === null || (edge.label === null && editing === null)) return null;
  // Not by the renderer of the library: each label would look for its place whenever the canvas moves.
  return createPortal(
    <div
      className={`canvas-edge-label ${edge.port.kind} ${taken}`}
      style={{ transform: `translate(-50%, -50%) translate(${at.x}px, ${at.y}px)` }}
    >
      <LabelWords of={edge} detail={mark?.detail} />
      {editing === null || edge.port.kind === "start" ? null : (
        <AddButton title={canvas.addBetween(edge.from, edge.to)} placeIn={(now) => placeOf(now, edge, start, end)} />
      )}
    </div>,
    labels,
  );
}

/** The same edge in a graph in which steps and conditions may have other names. */
function placeOf(
  now: CanvasGraph,
  { port }: CanvasEdge,
  start: CanvasStep | undefined,
  end: CanvasStep | undefined,
): NewPlace | null {
  if (start === undefined || end === undefined) return null;
  const before = now.order[start.index] ?? "";
  const after = now.order[end.index] ?? "";
  const left = now.steps.get(before)?.ports[start.ports.indexOf(portId(port))];
  const edge = left === undefined ? undefined : now.edges.get(edgeId(before, portOf(left), after));
  return edge === undefined ? null : { edge };
}

/** The tips of edges. Those of two canvases have the same ids, and look alike. */
export function EdgeTips() {
  return (
    <svg className="canvas-tips" aria-hidden="true">
      <defs>
        {["", "-taken", "-not-taken"].map((kind) => (
          <marker
            key={kind}
            id={`canvas-tip${kind}`}
            className={`canvas-tip${kind}`}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="10"
            markerHeight="10"
            markerUnits="userSpaceOnUse"
            orient="auto-start-reverse"
          >
            <path d="M0 0L8 4L0 8z" />
          </marker>
        ))}
      </defs>
    </svg>
  );
}

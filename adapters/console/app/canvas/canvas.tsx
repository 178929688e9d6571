/**
 * The steps of a definition as a graph. It shows runs and versions; with `editing`, an editor changes a draft through it.
 * Only this folder knows the library that draws it.
 */
import { type Node, ReactFlow, ReactFlowProvider, useStoreApi, type Viewport } from "@xyflow/react";
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { omitUndefined } from "../../../../src/json.ts";
import type { Step } from "../../../../src/workflows/step.ts";
import { CanvasControls, CanvasMap } from "./canvas-controls.tsx";
import { STEP_HEIGHT } from "./canvas-graph.ts";
import { CanvasContext, createCanvasStore, type EdgeMark, type StepMark } from "./canvas-store.ts";
import type { CanvasEditing } from "./editing.ts";
import { idOfFlow } from "./flow-id.ts";
import { placeSteps } from "./placing/place-steps.ts";
import type { Placement } from "./placing/placement.ts";
import { SelectionCount } from "./selection/selection-count.tsx";
import { useShiftKey } from "./selection/use-shift-key.ts";
import { EdgeTips, StepEdge } from "./step-edge.tsx";
import { StepNode } from "./step-node.tsx";
import { useCanvasKeys } from "./use-canvas-keys.ts";
import { useCanvasView } from "./use-canvas-view.ts";
import { useFarClass } from "./use-far-class.ts";
import { useFlowElements } from "./use-flow-elements.ts";
import { useGraph } from "./use-graph.ts";
import { useMeasuredPorts } from "./use-measured-ports.ts";
import { firstViewport, MIN_ZOOM, roomOf } from "./viewport.ts";
import "./canvas.css";

export interface CanvasProps {
  /** Names the canvas for screen readers. */
  readonly label: string;
  readonly steps: readonly Step[];
  /** What stands on the steps, by their ids: their keys, unless a draft has a key twice. */
  readonly marks?: ReadonlyMap<string, StepMark>;
  /** How the edges look, by their ids (`edgeId`). @default null: all alike */
  readonly edgeMarks?: ReadonlyMap<string, EdgeMark> | null;
  /** Id of the chosen step. */
  readonly chosen: string | null;
  /** A step was chosen, by pointer or arrow keys; null for none. */
  readonly onChoose: (step: string | null) => void;
  /** Enter or a double click. */
  readonly onOpen?: (step: string) => void;
  /** Whether one click opens a step, too. @default false */
  readonly opensOnClick?: boolean;
  /** @default null: the canvas only shows */
  readonly editing?: CanvasEditing | null;
  /** Controls what is seen, such as for two canvases beside each other. @default the canvas itself decides */
  readonly viewport?: Viewport;
  readonly onViewport?: (viewport: Viewport) => void;
}

const NODE_TYPES = { step: StepNode };
const EDGE_TYPES = { step: StepEdge };
const NO_MARKS: ReadonlyMap<string, StepMark> = new Map();

export function Canvas(props: CanvasProps) {
  return (
    <ReactFlowProvider>
      <CanvasOfFlow {...props} />
    </ReactFlowProvider>
  );
}

function CanvasOfFlow(props: CanvasProps) {
  const { label, steps, marks = NO_MARKS, edgeMarks = null, chosen, onChoose, onOpen, editing = null } = props;
  const graph = useGraph(steps);
  const placement = useMemo(() => placeSteps(graph, editing !== null), [graph, editing !== null]);
  const focusable = chosen !== null && graph.steps.has(chosen) ? chosen : (graph.order[0] ?? null);
  const [labels, setLabels] = useState<Element | null>(null);
  const state = { graph, placement, marks, edgeMarks, chosen, focusable, editing, labels };
  const [store] = useState(() => createCanvasStore(state));
  useLayoutEffect(() => store.set(state), [store, ...Object.values(state)]);
  const room = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => setLabels(room.current?.querySelector(".react-flow__edgelabel-renderer") ?? null), []);
  const elements = useFlowElements(store, state);
  const show = useCanvasView(store, room, props.viewport !== undefined);
  const { onKeyDown, onFocus } = useCanvasKeys({ store, room, onChoose, onOpen, show });
  const pointer = usePointer(room, onChoose, onOpen, props.opensOnClick === true);
  useShiftKey(room, editing !== null);
  useMeasuredPorts(room, graph);
  useFarClass(room);
  useShowChosen(chosen, show);
  useShowMoved(placement, show);

  return (
    <CanvasContext value={store}>
      <div ref={room} className="canvas" role="group" aria-label={label} tabIndex={-1} {...{ onKeyDown, onFocus }}>
        <EdgeTips />
        <ReactFlow
          {...elements}
          nodeTypes={NODE_TYPES}
          edgeTypes={EDGE_TYPES}
          {...omitUndefined({ viewport: props.viewport, onViewportChange: props.onViewport })}
          onInit={(flow) => {
            if (room.current === null || props.viewport !== undefined) return;
            // Another step may have been chosen while it was drawn.
            const { chosen } = store.get();
            void flow.setViewport(firstViewport(graph, placement, roomOf(room.current), chosen));
          }}
          {...pointer}
          panOnScroll
          minZoom={MIN_ZOOM}
          maxZoom={2}
          // An edge may be dropped anywhere on a step, not only on the point at its top.
          connectionRadius={STEP_HEIGHT}
          zoomOnDoubleClick={false}
          nodesFocusable={false}
          edgesFocusable={false}
          disableKeyboardA11y
          deleteKeyCode={null}
          elevateNodesOnSelect={false}
        >
          <CanvasControls />
          {editing === null ? null : <SelectionCount nodes={elements.nodes} />}
          {graph.order.length > 8 ? <CanvasMap /> : null}
        </ReactFlow>
      </div>
    </CanvasContext>
  );
}

/** A step that was chosen elsewhere, such as in a list, comes into view. */
function useShowChosen(chosen: string | null, show: (id: string) => Promise<void>): void {
  const shown = useRef(chosen);
  useEffect(() => {
    if (chosen === shown.current) return;
    // Also when none is: the same step may be chosen again, and its panel takes room from the canvas each time.
    shown.current = chosen;
    if (chosen !== null) void show(chosen);
  }, [chosen, show]);
}

/** The view follows the step that has the focus when it gets another place, such as by undoing. */
function useShowMoved(placement: Placement, show: (id: string) => void): void {
  const shown = useRef(placement);
  useEffect(() => {
    const before = shown.current;
    shown.current = placement;
    const { activeElement } = document;
    const focused = activeElement instanceof HTMLElement ? activeElement.dataset["step"] : undefined;
    const [from, to] = [before.points.get(focused ?? ""), placement.points.get(focused ?? "")];
    if (focused === undefined || from === undefined || to === undefined) return;
    if (from.x !== to.x || from.y !== to.y) show(focused);
  }, [placement, show]);
}

/** What a click does. The same functions at all times: with others, the library draws each step anew. */
function usePointer(
  room: RefObject<HTMLElement | null>,
  onChoose: CanvasProps["onChoose"],
  onOpen: CanvasProps["onOpen"],
  opensOnClick: boolean,
) {
  const flow = useStoreApi();
  const current = useRef({ onChoose, onOpen, opensOnClick });
  useLayoutEffect(() => {
    current.current = { onChoose, onOpen, opensOnClick };
  }, [onChoose, onOpen, opensOnClick]);
  const [handlers] = useState(() => ({
    onNodeClick(_event: unknown, { id }: Node) {
      const { onChoose, onOpen, opensOnClick } = current.current;
      const { elementsSelectable, multiSelectionActive, addSelectedNodes } = flow.getState();
      // Of several selected steps, the library would leave all selected.
      if (elementsSelectable && !multiSelectionActive) addSelectedNodes([id]);
      onChoose(idOfFlow(id));
      if (opensOnClick) onOpen?.(idOfFlow(id));
    },
    onNodeDoubleClick: (_event: unknown, { id }: Node) => current.current.onOpen?.(idOfFlow(id)),
    onPaneClick: () => current.current.onChoose(null),
    // The keys are about the selection, not about the step that had the focus before.
    onSelectionEnd: () => room.current?.focus({ preventScroll: true }),
  }));
  return handlers;
}

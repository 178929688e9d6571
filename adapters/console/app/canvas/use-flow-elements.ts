/** The steps and edges as the library takes them, and what it reports of them to an editor. */
import {
  applyEdgeChanges,
  applyNodeChanges,
  type Connection,
  type Edge,
  type EdgeChange,
  type FinalConnectionState,
  type Node,
  type NodeChange,
  type ReactFlowInstance,
  useReactFlow,
} from "@xyflow/react";
import { useCallback, useLayoutEffect, useMemo, useState } from "react";
import { useTexts } from "../texts/language.ts";
import { type CanvasGraph, type Port, portId, portOf } from "./canvas-graph.ts";
import type { CanvasState, CanvasStore } from "./canvas-store.ts";
import type { CanvasEditing } from "./editing.ts";
import { flowId, idOfFlow } from "./flow-id.ts";
import { cornersOfLayout } from "./placing/corners-of-layout.ts";
import type { Placement } from "./placing/placement.ts";

export function useFlowElements(store: CanvasStore, { graph, placement, editing, chosen }: CanvasState) {
  const [nodes, setNodes] = useState(() => nodesOf(graph, placement, []));
  const { edge: nameOf } = useTexts().canvas;
  const [edges, setEdges] = useState(() => edgesOf(graph, [], nameOf));
  useLayoutEffect(() => setNodes((before) => nodesOf(graph, placement, before)), [graph, placement]);
  useLayoutEffect(() => setEdges((before) => edgesOf(graph, before, nameOf)), [graph, nameOf]);
  const isEditable = editing !== null;
  useLayoutEffect(() => {
    if (isEditable) setNodes((before) => selected(before, chosen));
  }, [isEditable, chosen]);
  const onNodesChange = useCallback((changes: NodeChange[]) => {
    // Sizes are those of the definition, or of a note that is being resized: what the page measures changes nothing.
    const own = changes.filter((change) => change.type !== "dimensions" || change.resizing !== undefined);
    if (own.length > 0) setNodes((before) => applyNodeChanges(own, before));
  }, []);
  const onEdgesChange = useCallback(
    (changes: EdgeChange[]) => setEdges((before) => applyEdgeChanges(changes, before)),
    [],
  );
  const own = useEditorProps(editing, store);
  return { nodes, edges, onNodesChange, onEdgesChange, ...own };
}

/** The same functions while the editor has the same: with others, the library draws each step anew. */
function useEditorProps(editing: CanvasEditing | null, store: CanvasStore) {
  const flow = useReactFlow();
  return useMemo(() => (editing === null ? READ_ONLY : editorProps(editing, flow, store)), [editing, flow, store]);
}

function editorProps(editing: CanvasEditing, flow: ReactFlowInstance, store: CanvasStore) {
  return {
    nodesDraggable: true,
    nodesConnectable: true,
    elementsSelectable: true,
    onNodeDragStop: (_event: unknown, _node: Node, moved: readonly Node[]) => {
      const { graph, placement } = store.get();
      editing.onMove(
        new Map(moved.map(({ id, position: { x, y } }) => [idOfFlow(id), [Math.round(x), Math.round(y)]])),
        cornersOfLayout(graph, placement),
      );
    },
    onConnect: ({ source, sourceHandle, target }: Connection) =>
      editing.onConnect(idOfFlow(source), portOfHandle(sourceHandle), idOfFlow(target)),
    onConnectEnd: (event: MouseEvent | TouchEvent, { isValid, fromNode, fromHandle, toNode }: FinalConnectionState) => {
      if (isValid === true || fromNode === null || toNode !== null || fromHandle?.type !== "source") return;
      if (!(event.target instanceof Element) || !event.target.classList.contains("react-flow__pane")) return;
      editing.onAdd({ after: idOfFlow(fromNode.id), port: portOfHandle(fromHandle.id) });
    },
    onSelectionChange: ({ nodes }: { nodes: readonly Node[] }) =>
      editing.onSelection?.(nodes.map(({ id }) => idOfFlow(id))),
    onPaneContextMenu: (event: React.MouseEvent | MouseEvent) => {
      event.preventDefault();
      editing.onAdd({ at: flow.screenToFlowPosition({ x: event.clientX, y: event.clientY }) });
    },
  };
}

const portOfHandle = (handle: string | null | undefined): Port => portOf(handle == null ? null : idOfFlow(handle));

const READ_ONLY = { nodesDraggable: false, nodesConnectable: false, elementsSelectable: false };
const NO_DATA = {};

/** Keeps the object of each step that has not changed, so that it is not drawn anew. */
function nodesOf(graph: CanvasGraph, { points }: Placement, before: readonly Node[]): Node[] {
  const known = new Map(before.map((node) => [node.id, node]));
  return [...graph.steps.values()].map(({ id: stepId, width, height, type }) => {
    const { x, y } = points.get(stepId) ?? { x: 0, y: 0 };
    const id = flowId(stepId);
    const old = known.get(id);
    if (old?.position.x === x && old.position.y === y && old.width === width && old.height === height) return old;
    return {
      id,
      type: "step",
      data: NO_DATA,
      position: { x, y },
      width,
      height,
      measured: { width, height },
      selected: old?.selected === true,
      zIndex: type === "note" ? 0 : 1,
    };
  });
}

/** @param nameOf Else the library names an edge by ids as it takes them. */
function edgesOf(graph: CanvasGraph, before: readonly Edge[], nameOf: (from: string, to: string) => string): Edge[] {
  const known = new Map(before.map((edge) => [edge.id, edge]));
  return [...graph.edges.values()].map(({ id, from, to, port }) => {
    const ariaLabel = nameOf(from, to);
    const old = known.get(id);
    if (old?.ariaLabel === ariaLabel) return old;
    return {
      ...{ id, type: "step", ariaLabel },
      source: flowId(from),
      target: flowId(to),
      sourceHandle: flowId(portId(port)),
    };
  });
}

function selected(nodes: readonly Node[], chosen: string | null): Node[] {
  const isAlone = nodes.filter((node) => node.selected === true).length < 2;
  if (!isAlone) return [...nodes];
  const id = chosen === null ? null : flowId(chosen);
  return nodes.map((node) =>
    (node.selected === true) === (node.id === id) ? node : { ...node, selected: node.id === id },
  );
}

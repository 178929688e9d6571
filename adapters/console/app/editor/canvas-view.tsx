/** The draft on the canvas. */
import { useEffect, useMemo } from "react";
import { omitUndefined } from "../../../../src/json.ts";
import type { Definition } from "../../../../src/workflows/version.ts";
import { Canvas } from "../canvas/canvas.tsx";
import type { CanvasEdge, Port } from "../canvas/canvas-graph.ts";
import type { StepMark } from "../canvas/canvas-store.ts";
import type { CanvasEditing, NewPlace } from "../canvas/editing.ts";
import { type Connection, NEXT, type Way } from "./draft/ways.ts";
import type { EditorActions, Question } from "./editor-actions.ts";

interface CanvasViewProps {
  readonly label: string;
  readonly definition: Definition;
  readonly chosen: string | null;
  readonly onOpen: (step: string) => void;
  readonly opensOnClick: boolean;
  readonly problems: ReadonlyMap<string, number>;
  readonly actions: EditorActions;
  readonly hasLetters: boolean;
  readonly onSelection: (steps: readonly string[]) => void;
  /** Whether the draft may be changed. */
  readonly isEditable: boolean;
}

export function CanvasView(props: CanvasViewProps) {
  const { label, definition, chosen, onOpen, opensOnClick, problems, actions, hasLetters, onSelection, isEditable } =
    props;
  const editing = useMemo(() => editingOf(actions, hasLetters, onSelection), [actions, hasLetters, onSelection]);
  // Other views select nothing: there, the keys for copying and cutting act on the chosen step.
  useEffect(() => () => onSelection([]), [onSelection]);
  const marks = useMemo(
    () => new Map([...problems].map(([key, count]): [string, StepMark] => [key, { problems: count }])),
    [problems],
  );
  return (
    <Canvas
      label={label}
      steps={definition.steps}
      marks={marks}
      chosen={chosen}
      onChoose={actions.choose}
      onOpen={onOpen}
      opensOnClick={opensOnClick}
      editing={isEditable ? editing : null}
    />
  );
}

function editingOf(
  actions: EditorActions,
  hasLetters: boolean,
  onSelection: (steps: readonly string[]) => void,
): CanvasEditing {
  return {
    hasLetters,
    onSelection,
    onMove: actions.move,
    onResize: (step, { corner, size }, others) => actions.resize(step, corner, size, others),
    onConnect: (from, port, to) => connectPort(actions, from, port, to),
    onDelete(steps, edges) {
      if (steps.length > 0) actions.remove(steps);
      const gone = new Set(steps);
      const left = edges.filter(({ from, to }) => !gone.has(from) && !gone.has(to));
      if (left.length > 0) actions.disconnect(left.flatMap((edge) => connectionOf(edge) ?? []));
      for (const { to } of left.filter(({ port }) => port.kind === "start")) setConnected(actions, to, false);
    },
    onAdd: (place) => actions.ask(questionOf(place)),
    onConnectTo: (from) => actions.ask({ kind: "connect", from, way: null }),
    onRename: (step) => actions.ask({ kind: "rename", step }),
    onFind: () => actions.ask({ kind: "find" }),
  };
}

function wayOf(port: Port): Way | null {
  if (port.kind === "error") return { kind: "catch", route: port.route };
  return port.kind === "start" ? null : port;
}

function connectionOf({ from, to, port }: CanvasEdge): Connection | null {
  const way = wayOf(port);
  return way === null ? null : { from, to, way };
}

function connectPort(actions: EditorActions, from: string, port: Port, to: string): void {
  const way = wayOf(port);
  if (way === null) setConnected(actions, to, true);
  else actions.connect({ from, to, way });
}

/** Whether a step runs after the input step that starts the run. */
function setConnected(actions: EditorActions, key: string, isConnected: boolean): void {
  actions.replace((present) => {
    const steps = present.steps.map((step) => {
      if (step.key !== key) return step;
      const { input_connected: _, ...others } = step;
      return isConnected ? { ...step, input_connected: true } : others;
    });
    return { ...present, steps };
  });
}

function questionOf(place: NewPlace): Question {
  if ("at" in place)
    return { kind: "add", target: { kind: "end" }, position: [Math.round(place.at.x), Math.round(place.at.y)] };
  if ("after" in place) {
    const way = place.port === undefined ? undefined : (wayOf(place.port) ?? NEXT);
    return { kind: "add", target: { kind: "behind", key: place.after, ...omitUndefined({ way }) } };
  }
  const connection = connectionOf(place.edge);
  if (connection === null) return { kind: "add", target: { kind: "before", key: place.edge.to } };
  return { kind: "add", target: { kind: "on", ...connection } };
}

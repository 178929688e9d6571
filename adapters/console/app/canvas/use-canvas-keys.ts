/** The keys of the canvas. It is one stop of the keyboard; from there, arrows follow the edges. */
import { useReactFlow, useStoreApi } from "@xyflow/react";
import type { FocusEvent, KeyboardEvent, RefObject } from "react";
import { announce } from "../elements/announced.tsx";
import { actionOf } from "../shortcuts/shortcut-table.ts";
import { CANVAS_SHORTCUTS, type StepAction } from "../shortcuts/step-shortcuts.ts";
import { useTexts } from "../texts/language.ts";
import type { CanvasStore } from "./canvas-store.ts";
import type { CanvasEditing } from "./editing.ts";
import { idOfFlow } from "./flow-id.ts";
import { isDirection, stepTowards } from "./keyboard.ts";
import { cornersOfLayout } from "./placing/corners-of-layout.ts";
import { stepIn } from "./use-canvas-view.ts";

interface CanvasKeys {
  readonly store: CanvasStore;
  readonly room: RefObject<HTMLElement | null>;
  readonly onChoose: (step: string | null) => void;
  readonly onOpen: ((step: string) => void) | undefined;
  /** Brings a step into view. */
  readonly show: (step: string) => Promise<void>;
}

/** Pixels that Alt and an arrow move a step. */
const MOVE = 16;

export function useCanvasKeys({ store, room, onChoose, onOpen, show }: CanvasKeys) {
  const flow = useReactFlow();
  const flowStore = useStoreApi();
  const { canvas: texts } = useTexts();
  function onKeyDown(event: KeyboardEvent): void {
    const { graph, placement, editing } = store.get();
    const action = actionOf(CANVAS_SHORTCUTS, event, editing?.hasLetters !== false);
    if (action === undefined) return;
    if (action === "remove" && editing !== null) removeSelected(editing);
    if (action === "clear") clearSelection();
    const step = event.target instanceof HTMLElement ? event.target.dataset["step"] : undefined;
    if (step === undefined) return;
    if (action !== "move" && isDirection(event.key)) {
      event.preventDefault();
      const next = stepTowards(graph, placement, step, event.key);
      if (next === null) return;
      onChoose(next);
      stepIn(room.current, next)?.focus({ preventScroll: true });
      void show(next);
    } else if (action === "open") {
      if (onOpen === undefined) return;
      event.preventDefault();
      onChoose(step);
      onOpen(step);
    } else if (editing !== null && edit(action, event.key, step, store, editing)) event.preventDefault();
  }

  function selection() {
    const nodes = flow.getNodes().filter(({ selected }) => selected === true);
    const edges = flow.getEdges().filter(({ selected }) => selected === true);
    return { steps: nodes.map(({ id }) => idOfFlow(id)), edges };
  }

  /** First what is selected beside the chosen step, then that step. In a run, the page itself closes its step. */
  function clearSelection(): void {
    const { steps, edges } = selection();
    const { chosen, editing } = store.get();
    if (edges.length > 0 || steps.some((step) => step !== chosen)) {
      flowStore.getState().resetSelectedElements();
      flowStore.setState({ nodesSelectionActive: false });
    } else if (chosen !== null && editing !== null) onChoose(null);
    else return;
    announce(texts.selectionCleared);
  }

  /** The steps that are selected with the pointer, the edges, and the step that has the focus. */
  function removeSelected(editing: CanvasEditing): void {
    const { graph } = store.get();
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset["step"] : undefined;
    const { steps: selected, edges } = selection();
    const steps = new Set([...selected, ...(focused === undefined ? [] : [focused])]);
    editing.onDelete(
      [...steps],
      edges.flatMap(({ id }) => graph.edges.get(id) ?? []),
    );
  }

  /** Tab leads to a step that may have been scrolled away. */
  function onFocus({ target }: FocusEvent): void {
    if (!(target instanceof HTMLElement) || !target.matches(":focus-visible")) return;
    const step = target.dataset["step"];
    if (step !== undefined) void show(step);
  }

  return { onKeyDown, onFocus };
}

/** @returns Whether the key has changed something. */
function edit(action: StepAction, key: string, step: string, store: CanvasStore, editing: CanvasEditing): boolean {
  const { graph, placement } = store.get();
  switch (action) {
    case "move": {
      const point = placement.points.get(step);
      const [dx, dy] = MOVES[key] ?? [0, 0];
      if (point === undefined) return false;
      const moved = new Map([[step, [point.x + dx * MOVE, point.y + dy * MOVE] as const]]);
      editing.onMove(moved, cornersOfLayout(graph, placement));
      return true;
    }
    case "rename":
      editing.onRename?.(step);
      return true;
    case "add":
      editing.onAdd({ after: step });
      return true;
    case "connect":
      editing.onConnectTo?.(step);
      return true;
    case "find":
      editing.onFind?.();
      return true;
    default:
      return false;
  }
}

const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** What the steps and edges of a canvas show. Each listens for its own part, so that one change draws one step. */
import { createContext, useContext, useSyncExternalStore } from "react";
import type { ShownStatus } from "../elements/values/status-sign.tsx";
import type { CanvasGraph } from "./canvas-graph.ts";
import type { CanvasEditing } from "./editing.ts";
import type { Placement } from "./placing/placement.ts";

/** What stands on a step beside what its definition says. Keep the object while nothing in it changes. */
export interface StepMark {
  readonly status?: ShownStatus;
  /** Whether it waits for an answer of a person. @default false */
  readonly isForPerson?: boolean;
  /** Beside the status, such as a duration and the number of tries. */
  readonly detail?: string;
  /** The same for screen readers, such as "failed after 3 tries". @default the word of the status */
  readonly spoken?: string;
  /** Number of problems of the definition. */
  readonly problems?: number;
  /** Whether it differs from what is deployed. */
  readonly change?: "added" | "removed" | "changed";
}

/** How a run took an edge, or a difference. */
export interface EdgeMark {
  readonly isTaken: boolean;
  /** Beside the condition, such as the values that it read. */
  readonly detail?: string;
}

export interface CanvasState {
  readonly graph: CanvasGraph;
  readonly placement: Placement;
  readonly marks: ReadonlyMap<string, StepMark>;
  /** By the ids of edges; null if edges have no marks. */
  readonly edgeMarks: ReadonlyMap<string, EdgeMark> | null;
  readonly chosen: string | null;
  /** Step that takes the focus when the canvas does. */
  readonly focusable: string | null;
  readonly editing: CanvasEditing | null;
  /** Where the labels of edges are drawn; null until it is there. */
  readonly labels: Element | null;
}

export interface CanvasStore {
  get(): CanvasState;
  set(state: CanvasState): void;
  subscribe(listener: () => void): () => void;
}

export function createCanvasStore(first: CanvasState): CanvasStore {
  let state = first;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    set(next) {
      state = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const CanvasContext = createContext<CanvasStore | null>(null);

/** @param pick Returns a part that keeps its identity while it does not change. */
export function useCanvas<Part>(pick: (state: CanvasState) => Part): Part {
  const store = useContext(CanvasContext);
  if (store === null) throw new Error("There is no canvas here.");
  return useSyncExternalStore(store.subscribe, () => pick(store.get()));
}

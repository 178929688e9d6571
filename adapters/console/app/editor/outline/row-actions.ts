/** What keys and buttons do with a row of the outline. */
import type { KeyboardEvent } from "react";
import type { Connection, Way } from "../draft/ways.ts";
import { NEXT } from "../draft/ways.ts";
import type { EditorActions } from "../editor-actions.ts";
import type { Row, StepRow, WayRow } from "./rows.ts";

/** Opens a step, at one of its conditions if it is given. */
export type OpenStep = (step: string, condition?: string) => void;

interface RowSetting {
  readonly actions: EditorActions | null;
  readonly onOpen: OpenStep | undefined;
  readonly hasLetters: boolean;
}

/** @returns Whether the key does something. */
export function actOnRow(event: KeyboardEvent, row: Row, { actions, onOpen, hasLetters }: RowSetting): boolean {
  const { key } = event;
  if (key === "Enter" && !event.altKey) return openRow(row, actions, onOpen);
  if (actions === null) return false;
  if (event.altKey) {
    if (row.kind !== "step" || (key !== "ArrowUp" && key !== "ArrowDown")) return false;
    actions.moveInOrder(row.node.key, key === "ArrowUp" ? "up" : "down");
    return true;
  }
  if (key === "Delete" || key === "Backspace") return removeRow(row, actions);
  if (key === "F2" && row.kind === "step") {
    actions.ask({ kind: "rename", step: row.node.key });
    return true;
  }
  if (!hasLetters) return false;
  if (key.toLowerCase() === "a") addAt(row, actions);
  else if (key.toLowerCase() === "c") connectFrom(row, actions);
  else if (key === "/") actions.ask({ kind: "find" });
  else return false;
  return true;
}

/** A condition is edited where it stands: in its branch. */
export function openRow(row: Row, actions: EditorActions | null, onOpen: OpenStep | undefined): boolean {
  if (row.kind === "step") {
    onOpen?.(row.node.key);
    return onOpen !== undefined;
  }
  const { from, way, to } = row.node;
  if (way?.kind === "condition" && onOpen !== undefined) {
    onOpen(from, way.name);
    return true;
  }
  const [first] = to;
  if (first === undefined) {
    if (actions !== null) addAt(row, actions);
  } else actions?.reach(first);
  return true;
}

/** Adds behind a step, or at the beginning of a way. */
export function addAt(row: Row, actions: EditorActions): void {
  if (row.kind === "step") {
    const [first] = row.node.ways;
    const way = first !== undefined && row.node.next.length === 0 ? first.way : NEXT;
    actions.ask({ kind: "add", target: { kind: "behind", key: row.node.key, way: way ?? NEXT } });
  } else {
    const [to] = row.node.to;
    const way = row.node.way ?? NEXT;
    actions.ask({
      kind: "add",
      target:
        way.kind === "next" && to !== undefined
          ? { kind: "on", from: row.node.from, to, way }
          : { kind: "behind", key: row.node.from, way },
    });
  }
}

export function connectFrom(row: Row, actions: EditorActions): void {
  if (row.kind === "step") actions.ask({ kind: "connect", from: row.node.key, way: null });
  else actions.ask({ kind: "connect", from: row.node.from, way: row.node.way });
}

export function removeRow(row: Row, actions: EditorActions): boolean {
  if (row.kind === "step") actions.remove([row.node.key]);
  else if (row.node.way !== null) actions.disconnect(connectionsOfWay(row, row.node.way));
  return true;
}

const connectionsOfWay = ({ node }: WayRow, way: Way): readonly Connection[] =>
  node.to.map((to) => ({ from: node.from, to, way }));

/** Where a step leads besides its ways. */
export const nextOf = ({ node }: StepRow): readonly string[] => node.next;

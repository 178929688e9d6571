/** What keys and buttons do with a row of the outline. */

import type { StepAction } from "../../shortcuts/step-shortcuts.ts";
import type { Connection, Way } from "../draft/ways.ts";
import { NEXT } from "../draft/ways.ts";
import type { EditorActions } from "../editor-actions.ts";
import type { Row, WayRow } from "./rows.ts";

/** Opens a step, at one of its conditions if it is given. */
export type OpenStep = (step: string, condition?: string) => void;

interface RowSetting {
  readonly actions: EditorActions | null;
  readonly onOpen: OpenStep | undefined;
}

/** @returns Whether the key has done something. */
export function actOnRow(action: StepAction, key: string, row: Row, { actions, onOpen }: RowSetting): boolean {
  if (action === "open") return openRow(row, actions, onOpen);
  if (actions === null) return false;
  switch (action) {
    case "move":
      if (row.kind === "step") actions.moveInOrder(row.node.key, key === "ArrowUp" ? "up" : "down");
      else actions.sayFixed();
      return true;
    case "remove":
      return removeRow(row, actions);
    case "rename":
      if (row.kind === "step") actions.ask({ kind: "rename", step: row.node.key });
      return row.kind === "step";
    case "add":
      addAt(row, actions);
      return true;
    case "connect":
      connectFrom(row, actions);
      return true;
    case "find":
      actions.ask({ kind: "find" });
      return true;
    default:
      return false;
  }
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
    actions.ask({ kind: "add", target: { kind: "behind", key: row.node.key } });
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

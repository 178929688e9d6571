/** Keys of the canvas, when a step has the focus. */
import type { Shortcut } from "./shortcut-table.ts";

export type CanvasAction =
  | "along"
  | "across"
  | "first"
  | "last"
  | "open"
  | "add"
  | "connect"
  | "move"
  | "rename"
  | "remove"
  | "find";

export const CANVAS_SHORTCUTS: readonly Shortcut<CanvasAction>[] = [
  { action: "along", keys: ["ArrowUp", "ArrowDown"], letters: [] },
  { action: "across", keys: ["ArrowLeft", "ArrowRight"], letters: [] },
  { action: "first", keys: ["Home"], letters: [] },
  { action: "last", keys: ["End"], letters: [] },
  { action: "open", keys: ["Enter"], letters: [] },
  { action: "add", keys: [], letters: ["a"] },
  { action: "connect", keys: [], letters: ["c"] },
  { action: "move", keys: ["Alt+ArrowUp", "Alt+ArrowDown", "Alt+ArrowLeft", "Alt+ArrowRight"], letters: [] },
  { action: "rename", keys: ["F2"], letters: [] },
  { action: "remove", keys: ["Delete", "Backspace"], letters: [] },
  { action: "find", keys: [], letters: ["/"] },
];

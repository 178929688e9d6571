/** Keys of the outline, when a row has the focus. */
import type { Shortcut } from "../../shortcuts/shortcut-table.ts";

export type OutlineAction =
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

export const OUTLINE_SHORTCUTS: readonly Shortcut<OutlineAction>[] = [
  { action: "along", keys: ["ArrowUp", "ArrowDown"], letters: [] },
  { action: "across", keys: ["ArrowLeft", "ArrowRight"], letters: [] },
  { action: "first", keys: ["Home"], letters: [] },
  { action: "last", keys: ["End"], letters: [] },
  { action: "open", keys: ["Enter"], letters: [] },
  { action: "add", keys: [], letters: ["a"] },
  { action: "connect", keys: [], letters: ["c"] },
  { action: "move", keys: ["Alt+ArrowUp", "Alt+ArrowDown"], letters: [] },
  { action: "rename", keys: ["F2"], letters: [] },
  { action: "remove", keys: ["Delete", "Backspace"], letters: [] },
  { action: "find", keys: [], letters: ["/"] },
];

/** Keys of the list of runs, when a row has the focus. */
import type { Shortcut } from "../shortcuts/shortcut-table.ts";

export type ListAction =
  | "next"
  | "previous"
  | "pageDown"
  | "pageUp"
  | "first"
  | "last"
  | "open"
  | "select"
  | "selectTo"
  | "selectAll"
  | "clear";

export const LIST_SHORTCUTS: readonly Shortcut<ListAction>[] = [
  { action: "next", keys: ["ArrowDown"], letters: ["j"] },
  { action: "previous", keys: ["ArrowUp"], letters: ["k"] },
  { action: "pageDown", keys: ["PageDown"], letters: [] },
  { action: "pageUp", keys: ["PageUp"], letters: [] },
  { action: "first", keys: ["Home"], letters: [] },
  { action: "last", keys: ["End"], letters: [] },
  { action: "open", keys: ["Enter"], letters: [] },
  { action: "select", keys: [" "], letters: ["x"] },
  { action: "selectTo", keys: ["Shift+ "], letters: ["Shift+x"] },
  { action: "selectAll", keys: ["Control+a"], letters: [] },
  { action: "clear", keys: ["Escape"], letters: [] },
];

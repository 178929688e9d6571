/** Keys of the views that show steps, when a step has the focus: the same on the canvas and in the outline. */
import type { Shortcut } from "./shortcut-table.ts";

export type StepAction =
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
  | "find"
  | "clear";

/** @param moves Keys that move a step: the outline has no sides. */
const stepShortcuts = (moves: readonly string[]): readonly Shortcut<StepAction>[] => [
  { action: "along", keys: ["ArrowUp", "ArrowDown"], letters: [] },
  { action: "across", keys: ["ArrowLeft", "ArrowRight"], letters: [] },
  { action: "first", keys: ["Home"], letters: [] },
  { action: "last", keys: ["End"], letters: [] },
  { action: "open", keys: ["Enter"], letters: [] },
  { action: "add", keys: [], letters: ["a"] },
  { action: "connect", keys: [], letters: ["c"] },
  { action: "move", keys: moves, letters: [] },
  { action: "rename", keys: ["F2"], letters: [] },
  { action: "remove", keys: ["Delete", "Backspace"], letters: [] },
  { action: "find", keys: [], letters: ["/"] },
];

export const OUTLINE_SHORTCUTS = stepShortcuts(["Alt+ArrowUp", "Alt+ArrowDown"]);
export const CANVAS_SHORTCUTS: readonly Shortcut<StepAction>[] = [
  ...stepShortcuts(["Alt+ArrowUp", "Alt+ArrowDown", "Alt+ArrowLeft", "Alt+ArrowRight"]),
  // Only there, several steps can be selected.
  { action: "clear", keys: ["Escape"], letters: [] },
];

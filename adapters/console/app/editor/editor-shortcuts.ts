/** Keys of the whole editor of a workflow. */
import type { Shortcut } from "../shortcuts/shortcut-table.ts";

export type EditorAction = "undo" | "redo" | "duplicate" | "nextProblem" | "previousProblem" | "leavePanel";

export const EDITOR_SHORTCUTS: readonly Shortcut<EditorAction>[] = [
  { action: "undo", keys: ["Control+z"], letters: [] },
  { action: "redo", keys: ["Control+y", "Control+Shift+z"], letters: [] },
  { action: "duplicate", keys: ["Control+d"], letters: [] },
  { action: "nextProblem", keys: ["F8"], letters: [] },
  { action: "previousProblem", keys: ["Shift+F8"], letters: [] },
  // In the panel of a step, which handles it.
  { action: "leavePanel", keys: ["Escape"], letters: [] },
];

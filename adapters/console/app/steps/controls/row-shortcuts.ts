/** Keys of a list in the panel of a step, when something in one of its rows has the focus. */
import type { Shortcut } from "../../shortcuts/shortcut-table.ts";

export type RowAction = "moveUp" | "moveDown";

export const ROW_SHORTCUTS: readonly Shortcut<RowAction>[] = [
  { action: "moveUp", keys: ["Alt+ArrowUp"], letters: [] },
  { action: "moveDown", keys: ["Alt+ArrowDown"], letters: [] },
];

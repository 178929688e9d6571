/** Keys that act everywhere. */
import type { Shortcut } from "../shortcuts/shortcut-table.ts";

export type FrameAction = "commandMenu" | "help" | "close";

export const FRAME_SHORTCUTS: readonly Shortcut<FrameAction>[] = [
  { action: "commandMenu", keys: ["Control+k"], letters: [] },
  { action: "help", keys: [], letters: ["?"] },
  // Browsers close dialogs and menus themselves.
  { action: "close", keys: ["Escape"], letters: [] },
];

/** Escape closes the panel of a step, unless it is for what has the focus. */
import { useEffect } from "react";
import { isForPage } from "../shortcuts/page-keys.ts";
import { actionOf } from "../shortcuts/shortcut-table.ts";
import { RUN_SHORTCUTS } from "./run-shortcuts.ts";

export function useCloseKey(close: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      // The browser closes menus itself.
      if (!isForPage(event) || document.querySelector(":popover-open") !== null) return;
      if (actionOf(RUN_SHORTCUTS, event, false) !== "closeStep") return;
      event.preventDefault();
      close();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [close]);
}

/** Keys of the API reference. */
import { type RefObject, useEffect } from "react";
import { useSettings } from "../settings/use-settings.ts";
import { isForPage } from "../shortcuts/page-keys.ts";
import { actionOf, type Shortcut } from "../shortcuts/shortcut-table.ts";

export const REFERENCE_SHORTCUTS: readonly Shortcut<"search">[] = [{ action: "search", keys: [], letters: ["/"] }];

/** @param room The element that the search is in. */
export function useSearchKey(room: RefObject<HTMLElement | null>): void {
  const { hasShortcuts } = useSettings();
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!isForPage(event) || actionOf(REFERENCE_SHORTCUTS, event, hasShortcuts) !== "search") return;
      const field = room.current?.querySelector<HTMLInputElement>("input[type=search]");
      if (field == null) return;
      // Firefox searches the page with it.
      event.preventDefault();
      field.focus();
      field.select();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [room, hasShortcuts]);
}

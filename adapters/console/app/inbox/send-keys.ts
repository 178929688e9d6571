/** Enter in a field does not send an answer, which nobody can take back: Ctrl or Command with Enter does. */
import type { KeyboardEvent } from "react";
import { actionOf } from "../shortcuts/shortcut-table.ts";
import { INBOX_SHORTCUTS } from "./inbox-shortcuts.ts";

export function sendKeys(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.nativeEvent.isComposing || !(event.target instanceof HTMLElement)) return;
  if (actionOf(INBOX_SHORTCUTS, event, false) === "send") {
    event.preventDefault();
    event.stopPropagation();
    event.currentTarget.requestSubmit();
    return;
  }
  if (event.key !== "Enter") return;
  // Browsers send a form with Enter in a field of one line.
  if (event.target instanceof HTMLInputElement && event.target.type !== "file") event.preventDefault();
  // Such a field would send the form by itself: Enter begins a line instead.
  if (event.target.matches("textarea.one-line")) event.stopPropagation();
}

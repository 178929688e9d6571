/** Keys of forms, on pages and in dialogs. */
import { useEffect } from "react";
import { actionOf, type Shortcut } from "./shortcut-table.ts";

export const FORM_SHORTCUTS: readonly Shortcut<"send">[] = [
  // Enter alone begins a line in many fields.
  { action: "send", keys: ["Control+Enter"], letters: [] },
];

export function useFormKeys(): void {
  useEffect(() => {
    // Editors in a form would take the keys to begin a line.
    addEventListener("keydown", send, { capture: true });
    return () => removeEventListener("keydown", send, { capture: true });
  }, []);
}

/** Does what a click on the button of the form would do: nothing while it is disabled. */
function send(event: KeyboardEvent): void {
  if (event.isComposing || !(event.target instanceof Element) || actionOf(FORM_SHORTCUTS, event, false) !== "send")
    return;
  const controls = event.target.closest("form")?.elements ?? [];
  const button = [...controls].find((control) => control instanceof HTMLButtonElement && control.type === "submit");
  if (!(button instanceof HTMLButtonElement)) return;
  event.preventDefault();
  event.stopPropagation();
  if (event.repeat) return;
  takeTyped(event.target);
  // Once it is drawn.
  setTimeout(() => button.click());
}

/** Some fields take what was typed when they lose the focus, as they do when the button gets it. */
function takeTyped(field: Element): void {
  if (!(field instanceof HTMLElement) || field !== document.activeElement) return;
  field.blur();
  field.focus({ preventScroll: true });
}

/** Enter in a field does not send an answer, which nobody can take back: the keys of forms do. */
import type { KeyboardEvent } from "react";

export function keepFromSending(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== "Enter" || event.nativeEvent.isComposing || !(event.target instanceof HTMLElement)) return;
  // Browsers send a form with Enter in a field of one line.
  if (event.target instanceof HTMLInputElement && event.target.type !== "file") event.preventDefault();
  // Such a field would send the form by itself: Enter begins a line instead.
  if (event.target.matches("textarea.one-line")) event.stopPropagation();
}

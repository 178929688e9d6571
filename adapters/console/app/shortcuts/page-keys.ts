/** Whether a key is for the page, or for what has the focus in it. */

/** Whether somebody types: into a field, or into an editor in its shadow root. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.shadowRoot !== null ||
    target.matches("input:not([type=checkbox], [type=radio]), textarea, select"));

/** Whether keys act on the page: nobody has used this one, nobody types, and no dialog is open. */
export const isForPage = (event: KeyboardEvent): boolean =>
  !event.defaultPrevented && document.querySelector("dialog[open]") === null && !isTyping(event.target);

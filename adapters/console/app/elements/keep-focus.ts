/** Keeps the focus on the page when what had it goes away: people who use keys would begin again at the top. */
import { useEffect } from "react";

/** Puts the focus on the heading of the dialog that is open, or of the screen. */
function focusHeading(): void {
  const dialogs = document.querySelectorAll("dialog:modal");
  const place = dialogs[dialogs.length - 1] ?? document.getElementById("content");
  const heading = place?.querySelector<HTMLElement>("h1, h2");
  if (heading !== null && heading !== undefined && !heading.hasAttribute("tabindex")) heading.tabIndex = -1;
  heading?.focus({ preventScroll: true });
}

/** To be called when a dialog has closed. What opened it may be gone, or can no longer have the focus. */
export function keepFocus(): void {
  if (document.activeElement === null || document.activeElement === document.body) focusHeading();
}

/** For the whole page: an entry that is sent, a row that is deleted, a step that is removed. */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: EventTarget | null = null;
    const note = ({ target }: FocusEvent) => {
      last = target;
    };
    const forget = () => {
      last = null; // a click beside everything takes the focus away on purpose
    };
    const observer = new MutationObserver(() => {
      if (!(last instanceof Element) || last.isConnected) return;
      last = null;
      keepFocus();
    });
    observer.observe(document.body, { childList: true, subtree: true });
    addEventListener("focusin", note);
    addEventListener("pointerdown", forget);
    return () => {
      observer.disconnect();
      removeEventListener("focusin", note);
      removeEventListener("pointerdown", forget);
    };
  }, []);
}

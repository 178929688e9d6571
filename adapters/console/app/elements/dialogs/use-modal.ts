/** Shows the browser's dialog over the page as long as it is drawn. Closing it gives the focus back to what had it. */
import { type RefObject, useLayoutEffect, useRef } from "react";
import { returnFocus } from "../keep-focus.ts";

interface Opener {
  readonly element: HTMLElement;
  /** The dialog that it is in. */
  readonly around: Element | null;
}

/** What had the focus when a dialog was shown. */
const openers = new WeakMap<Element, Opener>();

/** A dialog may follow another one, which is gone by then: what opened that one gets the focus. */
function openerOf(dialog: Element): HTMLElement | null {
  const found = openers.get(dialog);
  if (found === undefined || found.element.isConnected) return found?.element ?? null;
  return found.around === null ? null : openerOf(found.around);
}

/** @param onShown Returns what ends with the dialog. */
export function useModal(onShown?: (dialog: HTMLDialogElement) => () => void): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  const start = useRef(onShown);
  // In a layout effect: once React has removed the dialog, closing it returns no focus.
  useLayoutEffect(() => {
    const { current } = dialog;
    if (current === null) return undefined;
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && activeElement !== document.body)
      openers.set(current, { element: activeElement, around: activeElement.closest("dialog") });
    current.showModal();
    const stop = start.current?.(current);
    return () => {
      stop?.();
      current.close();
      returnFocus(openerOf(current));
    };
  }, []);
  return dialog;
}

/** A form that closes once it is sent: what is entered meanwhile would be lost without a word. */
import { type RefObject, useEffect } from "react";
import { useStable } from "./use-stable.ts";

const EVENTS = ["beforeinput", "keydown", "mousedown", "click", "drop"];
const FREE: ReadonlySet<string> = new Set(["Tab", "Shift", "Escape", "F5"]);

/** Whether a key enters nothing. Reloading the page is the way out if the server never responds. */
const isFree = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  FREE.has(key) || ((ctrlKey || metaKey) && /^[cr]$/i.test(key));

/**
 * Nothing can be entered into the form for a while. The focus stays where it is, so that a refusal can be mended there; a
 * disabled form would lose it.
 */
export function useLock(form: RefObject<HTMLFormElement | null>, isLocked: () => boolean): void {
  const refuse = useStable((event: Event) => {
    if (!isLocked() || (event instanceof KeyboardEvent && isFree(event))) return;
    // Pressing the mouse button also moves the focus, which enters nothing but into a list of choices.
    const isPress = event.type === "mousedown";
    if (isPress && !(event.target instanceof Element && event.target.closest("select") !== null)) return;
    // The way out of the lock.
    if (event.target instanceof Element && event.target.closest("[data-unlocked]") !== null) return;
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    const ending = new AbortController();
    for (const name of EVENTS) form.current?.addEventListener(name, refuse, { capture: true, signal: ending.signal });
    return () => ending.abort();
  }, [form, refuse]);
}

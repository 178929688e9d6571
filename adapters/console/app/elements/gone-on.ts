/** Whether a person has gone on while the server answers: then, nothing takes the focus away. */
import { useEffect } from "react";

/** What had the focus when something was sent last. */
let sender: Element | null = null;
/** Whether something was entered since then. */
let hasEntered = false;

/** For the whole page. */
export function useGoneOn(): void {
  useEffect(() => {
    const send = () => {
      sender = document.activeElement;
      hasEntered = false;
    };
    const press = ({ target }: Event) => {
      if (target instanceof Element && target.closest("button") !== null) send();
    };
    const enter = () => {
      hasEntered = true;
    };
    // Before anything on the page hears of it.
    addEventListener("submit", send, true);
    addEventListener("click", press, true);
    addEventListener("input", enter, true);
    return () => {
      removeEventListener("submit", send, true);
      removeEventListener("click", press, true);
      removeEventListener("input", enter, true);
    };
  }, []);
}

/** Whether the focus is in a field to which the person went, or in which they typed, after something was sent last. */
export function hasGoneOn(): boolean {
  const { activeElement: active } = document;
  // An editor of code is in a shadow root.
  const isField = active?.matches("input, select, textarea") === true || (active?.shadowRoot ?? null) !== null;
  return isField && (hasEntered || active !== sender);
}

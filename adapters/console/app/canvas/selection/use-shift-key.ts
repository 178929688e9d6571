/** Whether Shift is held, as the pointer says it. */
import { type RefObject, useEffect } from "react";
import { flushSync } from "react-dom";

/**
 * The library asks only the keyboard: if another window had the focus when Shift was pressed, or the page is busy, dragging
 * would move the view in place of selecting steps. So it gets the key before it handles the pointer.
 *
 * @param selects Whether Shift and the pointer select steps on this canvas.
 */
export function useShiftKey(room: RefObject<HTMLElement | null>, selects: boolean): void {
  useEffect(() => {
    const canvas = room.current;
    if (!selects || canvas === null) return undefined;
    const listen = ({ shiftKey }: PointerEvent) => {
      if (shiftKey === isKnown(canvas)) return;
      const key = { key: "Shift", code: "ShiftLeft", shiftKey, bubbles: true };
      flushSync(() => canvas.dispatchEvent(new KeyboardEvent(shiftKey ? "keydown" : "keyup", key)));
    };
    // Not a handler of React: of an event that one has seen, those that are drawn since get nothing.
    canvas.addEventListener("pointerdown", listen, true);
    return () => canvas.removeEventListener("pointerdown", listen, true);
  }, [room, selects]);
}

const isKnown = (canvas: Element): boolean => canvas.querySelector(".react-flow__pane.selection") !== null;

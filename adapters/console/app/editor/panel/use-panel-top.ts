/** Where the panel of a step is scrolled to. */
import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * Another step starts at its top. A step that gets another key in the panel stays where it is.
 * @returns To be called with the new key, before the step gets it.
 */
export function usePanelTop(panel: RefObject<HTMLElement | null>, key: string): (renamed: string) => void {
  const shown = useRef(key);
  useLayoutEffect(() => {
    if (shown.current !== key) panel.current?.scrollTo({ top: 0, behavior: "instant" });
    shown.current = key;
  }, [panel, key]);
  return (renamed) => {
    shown.current = renamed;
  };
}

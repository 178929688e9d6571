/** Shows what failed, where a link of the error has led to it. */
import { type RefObject, useLayoutEffect, useRef } from "react";

/** @returns The element that failed, which comes into view. The link is gone then: its focus goes on there. */
export function useMark<Place extends HTMLElement>(): RefObject<Place | null> {
  const mark = useRef<Place>(null);
  useLayoutEffect(() => {
    mark.current?.scrollIntoView({ block: "center" });
    if (document.activeElement === document.body) mark.current?.focus({ preventScroll: true });
  }, []);
  return mark;
}

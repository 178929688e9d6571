/** Rows with the focus scroll to where no bar covers them. */
import { type RefObject, useLayoutEffect } from "react";

/** Pixels between a bar and what is beside it. */
const GAP = 16;

/** @param property Says how much room a bar takes that stays in view. Nothing of a bar that is empty. */
export function useRoomForBar(bar: RefObject<HTMLElement | null>, property: "--bulk-bar" | "--bulk-progress"): void {
  useLayoutEffect(() => {
    if (bar.current === null) return undefined;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(([entry]) => {
      const [size] = entry?.borderBoxSize ?? [];
      const height = Math.ceil(size?.blockSize ?? 0);
      style.setProperty(property, `${height === 0 ? 0 : height + GAP}px`);
    });
    observer.observe(bar.current);
    return () => {
      observer.disconnect();
      style.removeProperty(property);
    };
  }, [bar, property]);
}

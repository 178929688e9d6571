/** Draws less where nothing could be read: below half size, steps show their sign and their status only. */
import { useStore } from "@xyflow/react";
import { type RefObject, useLayoutEffect } from "react";

const FAR = 0.5;

/** A class of the canvas, not a property of steps: none of them is drawn anew. */
export function useFarClass(room: RefObject<HTMLElement | null>): void {
  const isFar = useStore(({ transform }) => transform[2] < FAR);
  useLayoutEffect(() => {
    room.current?.classList.toggle("far", isFar);
  }, [room, isFar]);
}

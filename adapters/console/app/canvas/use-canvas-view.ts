/** What is seen of a canvas while it is open: steps that are chosen come into view, and stay there when it gets narrower. */
import { useReactFlow, type Viewport } from "@xyflow/react";
import { type RefObject, useCallback, useEffect, useRef } from "react";
import type { CanvasStore } from "./canvas-store.ts";
import { motionMs, type Room, roomOf, viewportKeeping, viewportShowing } from "./viewport.ts";

export const stepIn = (room: Element | null, id: string): HTMLElement | null =>
  room?.querySelector<HTMLElement>(`[data-step="${CSS.escape(id)}"]`) ?? null;

/**
 * @param isControlled Whether something else decides what is seen.
 * @returns What brings a step into view.
 */
export function useCanvasView(
  store: CanvasStore,
  room: RefObject<HTMLElement | null>,
  isControlled: boolean,
): (id: string) => Promise<void> {
  const flow = useReactFlow();
  /** Where the view goes, and when it will be there. */
  const motion = useRef<{ readonly to: Viewport | null; readonly until: number }>({ to: null, until: 0 });
  const known = useRef<Room | null>(null);

  /** By where it will be: keys may follow each other faster than it moves. */
  const target = useCallback(() => {
    const { to, until } = motion.current;
    return (performance.now() < until ? to : null) ?? flow.getViewport();
  }, [flow]);
  const go = useCallback(
    (to: Viewport) => {
      motion.current = { to, until: performance.now() + motionMs() };
      return flow.setViewport(to, { duration: motionMs() });
    },
    [flow],
  );

  const keep = useCallback(() => {
    if (room.current === null || isControlled) return;
    const [before, now] = [known.current, roomOf(room.current)];
    // On narrow screens, a panel takes the place of the canvas.
    if (now.width === 0 || now.height === 0) return;
    known.current = now;
    if (before === null) return;
    const { graph, placement, chosen } = store.get();
    const wanted = viewportKeeping(graph, placement, chosen, target(), before, now);
    if (wanted !== null) void go(wanted);
  }, [go, isControlled, room, store, target]);

  useEffect(() => {
    if (room.current === null) return undefined;
    const observer = new ResizeObserver(keep);
    observer.observe(room.current);
    return () => observer.disconnect();
  }, [keep, room]);

  return useCallback(
    async (id: string) => {
      if (room.current === null) return;
      // A panel that opens with the step has taken its room already.
      keep();
      const { graph, placement } = store.get();
      const wanted = viewportShowing(graph, placement, id, target(), roomOf(room.current));
      if (wanted !== null) await go(wanted);
      // The canvas may be higher than the window.
      const step = stepIn(room.current, id);
      if (step !== null && step === document.activeElement)
        step.scrollIntoView({ block: "nearest", inline: "nearest" });
    },
    [go, keep, room, store, target],
  );
}

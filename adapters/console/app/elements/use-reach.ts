/** Puts the focus on a step of the canvas or of a list. */
import { type RefObject, useEffect, useState } from "react";
import { useStable } from "./use-stable.ts";

interface Wanted {
  readonly step: string;
  readonly quietly: boolean;
}

/**
 * @param isQuiet Is set while a step gets the focus without being chosen.
 * @returns Waits for a step that is not drawn yet, unless the person does something first.
 */
export function useReach(room: RefObject<HTMLElement | null>, isQuiet?: RefObject<boolean>) {
  const [wanted, setWanted] = useState<Wanted | null>(null);

  const focus = useStable(({ step, quietly }: Wanted): boolean => {
    const element = room.current?.querySelector<HTMLElement>(`[data-step="${CSS.escape(step)}"]`) ?? null;
    if (isQuiet !== undefined) isQuiet.current = quietly;
    element?.focus();
    if (isQuiet !== undefined) isQuiet.current = false;
    return element !== null && document.activeElement === element;
  });

  useEffect(() => {
    if (wanted === null || room.current === null) return undefined;
    // The canvas measures new steps before it shows them.
    const wait = new MutationObserver(() => {
      if (focus(wanted)) stop();
    });
    wait.observe(room.current, { childList: true, subtree: true, attributeFilter: ["style"] });
    const frame = requestAnimationFrame(() => {
      if (focus(wanted)) stop();
    });
    const stop = () => {
      cancelAnimationFrame(frame);
      wait.disconnect();
      removeEventListener("keydown", stop, true);
      removeEventListener("pointerdown", stop, true);
    };
    addEventListener("keydown", stop, true);
    addEventListener("pointerdown", stop, true);
    return stop;
  }, [wanted, room, focus]);

  return useStable((step: string, quietly?: boolean) => {
    const next = { step, quietly: quietly === true };
    // What has the focus may be about to go: it is not lost in between.
    focus(next);
    setWanted(next);
  });
}

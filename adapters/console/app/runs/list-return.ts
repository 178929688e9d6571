/** Who comes back from a run to the list finds it as it was: the same rows at the same places, and the focus on the run. */
import type { VirtualItem } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { useStable } from "../elements/use-stable.ts";
import { navigate, noteWayOn, wayOn } from "../routing/location.ts";

export function openRun(appId: string, id: string): void {
  noteWayOn(id);
  navigate(`/apps/${appId}/runs/${id}`);
}

/** @returns The run that was opened from here; null for a list that somebody has not come back to. */
export function useOpenedRun(body: RefObject<HTMLElement | null>, isInList: (id: string) => boolean): string | null {
  const [opened] = useState(wayOn);
  const wanted = useRef(opened);
  useLayoutEffect(() => {
    const id = wanted.current;
    if (id === null) return;
    const row = body.current?.querySelector<HTMLElement>(`[data-run="${CSS.escape(id)}"]`) ?? null;
    // The rows are drawn once the size of the window is known.
    if (row === null && isInList(id)) return;
    wanted.current = null;
    noteWayOn(null);
    if (row === null) return;
    // Else the heading would get the focus, as on every new screen.
    row.dataset["keepsFocus"] = "";
    row.addEventListener("blur", () => delete row.dataset["keepsFocus"], { once: true });
    // The browser sets the page back to where it was. Only if it cannot, the row has to be looked for.
    row.focus({ preventScroll: true });
    requestAnimationFrame(() => row.scrollIntoView({ block: "nearest" }));
  });
  return opened;
}

/** Heights of rows as they were last seen, and the width of the window then. */
let seen: { readonly width: number; readonly rows: VirtualItem[] } = { width: 0, rows: [] };

/** The heights of the rows when they were last seen: with estimated ones, the browser would set the page back to other rows. */
export const seenHeights = (): VirtualItem[] => (seen.width === innerWidth ? seen.rows : []);

export function useKeptHeights(rows: () => VirtualItem[]): void {
  const keep = useStable(() => {
    seen = { width: innerWidth, rows: rows() };
  });
  useLayoutEffect(() => keep, [keep]);
}

/** Where the focus goes when a retry takes the button away that asked for it. */
import { useLayoutEffect, useRef } from "react";
import { isSeen } from "./waterfall/show-row.ts";

/** To a heading in view, of the run or of its step: a button beside it has nothing to do with the retry. */
export function useFocusAfterRetry(isEnded: boolean): void {
  const wasEnded = useRef(isEnded);
  useLayoutEffect(() => {
    const isReopened = wasEnded.current && !isEnded;
    wasEnded.current = isEnded;
    if (!isReopened || document.activeElement !== document.body) return;
    const headings = [...document.querySelectorAll<HTMLElement>(".run-screen header :is(h1, h2)")];
    (headings.find(isSeen) ?? headings[0])?.focus();
  }, [isEnded]);
}

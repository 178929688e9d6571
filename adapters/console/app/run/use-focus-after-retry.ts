/** Where the focus goes when a retry takes the button away that asked for it. */
import { useEffect, useLayoutEffect, useRef } from "react";

/** To the heading of what the button stood in: a button beside it has nothing to do with the retry. */
export function useFocusAfterRetry(isEnded: boolean): void {
  const wasEnded = useRef(isEnded);
  const heading = useRef(OF_RUN);
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      heading.current = target instanceof Element && target.closest(".run-inspector") !== null ? OF_STEP : OF_RUN;
    };
    addEventListener("focusin", note);
    return () => removeEventListener("focusin", note);
  }, []);
  useLayoutEffect(() => {
    const isReopened = wasEnded.current && !isEnded;
    wasEnded.current = isEnded;
    if (isReopened && document.activeElement === document.body)
      document.querySelector<HTMLElement>(heading.current)?.focus();
  }, [isEnded]);
}

const OF_RUN = ".run-screen h1";
const OF_STEP = ".run-inspector > header :is(h1, h2)";

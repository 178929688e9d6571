/** Asks before what was typed and not saved is lost. */
import { useEffect, useRef } from "react";
import { useTexts } from "../texts/language.ts";
import { guardLeaving, type Leaving } from "./location.ts";

/**
 * While it is drawn, leaving its place with changes takes a second answer: by a link, Back, a tab or closing the window.
 *
 * @param question What is asked. @default whether changes that are not saved are to be discarded
 */
export function useLeaveGuard(isChanged: (leaving: Leaving) => boolean, question?: string): void {
  const { general } = useTexts();
  const asked = question ?? general.discard;
  const latest = useRef(isChanged);
  latest.current = isChanged;
  useEffect(() => {
    const removeGuard = guardLeaving((leaving) => (latest.current(leaving) ? asked : null));
    const onUnload = (event: BeforeUnloadEvent) => {
      if (latest.current("screen")) event.preventDefault();
    };
    addEventListener("beforeunload", onUnload);
    return () => {
      removeEventListener("beforeunload", onUnload);
      removeGuard();
    };
  }, [asked]);
}

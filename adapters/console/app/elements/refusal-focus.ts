/** Where the focus goes when the server refuses something. */
import { type RefObject, useEffect, useRef } from "react";
import { hasGoneOn } from "./gone-on.ts";

/**
 * After a refusal, puts the focus on the first field that is wrong, else on the message, unless the person has gone on in
 * another field. The message is read out in any case.
 * @param refusal What was refused; null for nothing.
 * @returns For the form, or the message. Without it, the open dialog is searched.
 */
export function useFocusOnRefusal<Place extends HTMLElement>(refusal: unknown): RefObject<Place | null> {
  const place = useRef<Place>(null);
  useEffect(() => {
    if (refusal !== null && !hasGoneOn())
      focusRefusal(place.current ?? [...document.querySelectorAll("dialog:modal")].at(-1));
  }, [refusal]);
  return place;
}

const MESSAGE = "[role='alert'][tabindex]";

function focusRefusal(place: Element | undefined): void {
  // The summary of a form takes the focus itself.
  if (place === undefined || place.querySelector(".error-summary:focus") !== null) return;
  const wrong = [...place.querySelectorAll<HTMLElement>("[aria-invalid='true']")].find((field) =>
    field.checkVisibility(),
  );
  const message = place.matches(MESSAGE) ? place : place.querySelector(MESSAGE);
  const target = wrong ?? message;
  if (target instanceof HTMLElement) target.focus();
}

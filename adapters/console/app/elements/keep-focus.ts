/** Keeps the focus on the page when what had it goes away: people who use keys would begin again at the top. */
import { useEffect } from "react";

/** What had the focus before the dialog that has just closed. */
let opener: HTMLElement | null = null;

const isLost = () => document.activeElement === null || document.activeElement === document.body;

/** Puts the focus on the heading of the dialog that is open, or of the screen. */
export function focusHeading(): void {
  const dialogs = document.querySelectorAll("dialog:modal");
  const place = dialogs[dialogs.length - 1] ?? document.getElementById("content");
  const heading = place?.querySelector<HTMLElement>(":is(h1, h2):not([inert] *)") ?? null;
  if (heading !== null && !heading.hasAttribute("tabindex")) heading.tabIndex = -1;
  // A screen that loads has no heading yet, and that of the one before is left.
  const target = heading ?? (place instanceof HTMLElement ? place : null);
  target?.focus({ preventScroll: true });
}

function keepFocus(): void {
  if (isLost()) opener?.focus({ preventScroll: true });
  if (isLost()) focusHeading();
}

/**
 * To be called when a dialog has closed.
 * @param before What had the focus before; null if that is gone, too.
 */
export function returnFocus(before: HTMLElement | null): void {
  opener = before;
  // React removes what opened the dialog, too, if that is gone.
  queueMicrotask(() => {
    keepFocus();
    opener = null;
  });
}

/** What the Tab key reaches. */
const FOCUSABLE =
  ":is(a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), summary, [tabindex='0']):not([tabindex='-1'])";

/** Puts the focus on what stands beside a removed part, such as the next row of a list; on the heading if it was all. */
function focusBeside({ target, nextSibling, previousSibling }: MutationRecord): void {
  let place = target instanceof Element ? target : null;
  const screen = document.querySelector("#content > .screen");
  // What has a heading is a page, a dialog or an entry, which goes on at its heading. So does a screen that has none yet.
  while (place !== null && !place.contains(screen) && place.querySelector("h1, h2") === null) {
    const found = [...place.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((one) => one.checkVisibility());
    const isBehind = (one: Node) => nextSibling?.isConnected === true && standsIn(nextSibling, one, BEHIND);
    const isBefore = (one: Node) => previousSibling?.isConnected === true && standsIn(previousSibling, one, BEFORE);
    const beside = found.find(isBehind) ?? found.findLast(isBefore) ?? found[0];
    if (beside !== undefined) {
      beside.focus({ preventScroll: true });
      return;
    }
    place = place.parentElement;
  }
  focusHeading();
}

const BEHIND = Node.DOCUMENT_POSITION_FOLLOWING;
const BEFORE = Node.DOCUMENT_POSITION_PRECEDING;

/** Whether a part is another one, lies in it, or stands on that side of it. */
const standsIn = (one: Node, other: Node, side: number): boolean =>
  one.contains(other) || (one.compareDocumentPosition(other) & side) !== 0;

/** For the whole page: an entry that is sent, a row that is deleted, a step that is removed. */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: EventTarget | null = null;
    const note = ({ target }: FocusEvent) => {
      last = target;
    };
    const forget = () => {
      last = null; // a click beside everything takes the focus away on purpose
    };
    const observer = new MutationObserver((records) => {
      if (!(last instanceof Element) || last.isConnected) return;
      const gone = last;
      last = null;
      if (isLost()) opener?.focus({ preventScroll: true });
      if (!isLost()) return;
      const removal = records.findLast(({ removedNodes }) => [...removedNodes].some((node) => node.contains(gone)));
      if (removal?.target.isConnected === true) focusBeside(removal);
      else focusHeading();
    });
    observer.observe(document.body, { childList: true, subtree: true });
    addEventListener("focusin", note);
    addEventListener("pointerdown", forget);
    return () => {
      observer.disconnect();
      removeEventListener("focusin", note);
      removeEventListener("pointerdown", forget);
    };
  }, []);
}

/** Puts a popover beside its button, because the browser does not place popovers. */

/** Pixels to the edges of the window, and to the button. */
const MARGIN = 8;
const GAP = 4;

/** Below the button, or above it where there is no room; from its start on, or up to its end. Both may be gone. */
export function placePopover(popover: HTMLElement | null, button: HTMLElement | null): void {
  if (popover === null || button === null) return;
  const around = button.getBoundingClientRect();
  const { width, height } = popover.getBoundingClientRect();
  const isRoom = around.bottom + height + MARGIN < innerHeight;
  const top = isRoom ? around.bottom + GAP : around.top - height - GAP;
  const left = Math.min(leftOf(button, around, width), innerWidth - width - MARGIN);
  popover.style.top = `${Math.max(MARGIN, top)}px`;
  popover.style.left = `${Math.max(MARGIN, left)}px`;
}

/**
 * The same for as long as it is open, because rows come and go, and lists are scrolled. It closes when its button is out of
 * sight.
 * @returns Ends it.
 */
export function keepPlaced(popover: HTMLElement | null, button: HTMLElement | null): () => void {
  let frame = 0;
  function place(): void {
    placePopover(popover, button);
    frame = requestAnimationFrame(place);
    const { top, bottom } = button?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
    if (bottom <= 0 || top >= innerHeight) popover?.hidePopover();
  }
  place();
  return () => cancelAnimationFrame(frame);
}

/** Within what the button stands in: a menu of a panel does not cover what is beside the panel. */
function leftOf(button: HTMLElement, around: DOMRect, width: number): number {
  let room = button.parentElement;
  while (room !== null && room.getBoundingClientRect().width < width) room = room.parentElement;
  const { left, right } = (room ?? document.documentElement).getBoundingClientRect();
  const [first, last] = [around.left, around.right - width];
  const [isFirst, isLast] = [first + width <= right, last >= left];
  if (isFirst && isLast) return getComputedStyle(button).direction === "rtl" ? last : first;
  return isFirst ? first : last;
}

/** With less room below its button, a list that grows may stand above. */
const ENOUGH = 320;
const MOST = 448;

/** The same for a list that grows when its parts are opened: it keeps its side, and never grows past the window. */
export function placeGrowingPopover(popover: HTMLElement | null, button: HTMLElement | null): void {
  if (popover === null || button === null) return;
  placePopover(popover, button);
  const around = button.getBoundingClientRect();
  const below = innerHeight - around.bottom - GAP - MARGIN;
  const above = around.top - GAP - MARGIN;
  const isBelow = below >= ENOUGH || below >= above;
  popover.style.top = isBelow ? `${around.bottom + GAP}px` : "auto";
  popover.style.bottom = isBelow ? "auto" : `${innerHeight - around.top + GAP}px`;
  popover.style.maxBlockSize = `${Math.min(isBelow ? below : above, MOST)}px`;
}

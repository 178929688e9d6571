/** Puts a popover beside its button, because the browser does not place popovers. */

/** Pixels to the edges of the window, and to the button. */
const MARGIN = 8;
const GAP = 4;

/** Below the button, or above it where there is no room. Both may be gone. */
export function placePopover(popover: HTMLElement | null, button: HTMLElement | null): void {
  if (popover === null || button === null) return;
  const around = button.getBoundingClientRect();
  const { width, height } = popover.getBoundingClientRect();
  const isRoom = around.bottom + height + MARGIN < innerHeight;
  const top = isRoom ? around.bottom + GAP : around.top - height - GAP;
  const left = Math.min(around.right - width, innerWidth - width - MARGIN);
  popover.style.top = `${Math.max(MARGIN, top)}px`;
  popover.style.left = `${Math.max(MARGIN, left)}px`;
}

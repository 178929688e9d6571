/** Brings rows of the list of steps into view: it may have hundreds. */

/** @returns The row of a step, unless the list is not shown. */
export const rowOf = (key: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`.waterfall [data-row="${CSS.escape(key)}"]`);

/** Scrolls to the row of a step, where it is not seen. */
export function showRow(key: string): void {
  rowOf(key)?.scrollIntoView({ block: "nearest" });
}

/** The same for a row that nobody has asked for: what shows the focus stays in view. */
export function showRowBesideFocus(key: string): void {
  const focused = document.querySelector(":focus-visible");
  const wasSeen = focused !== null && isSeen(focused);
  // The list scrolls by itself where there is room for the head above it.
  const scrolled = [document.documentElement, rowOf(key)?.closest(".waterfall")].flatMap((element) =>
    element == null ? [] : [{ element, top: element.scrollTop }],
  );
  showRow(key);
  if (!wasSeen || isSeen(focused)) return;
  for (const { element, top } of scrolled) element.scrollTo({ top, behavior: "instant" });
}

/** Whether the middle of an element is in the window, and nothing covers it. */
export function isSeen(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}

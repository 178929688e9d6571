/** Scrolls a row of the list of steps into view, where it is not seen: the list may have hundreds. */
export function showRow(key: string): void {
  document.querySelector(`.waterfall [data-row="${CSS.escape(key)}"]`)?.scrollIntoView({ block: "nearest" });
}

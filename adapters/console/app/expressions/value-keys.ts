/** Arrow keys in a tree of values, as trees have them (ARIA Authoring Practices). The Tab key reaches all of it, too. */
import type { KeyboardEvent } from "react";

/** The button of a row that inserts or copies its value. */
const MAIN = ".value-line button";

export function onTreeKey(event: KeyboardEvent<HTMLElement>): void {
  const row = event.target instanceof Element ? event.target.closest(".value-row") : null;
  if (row === null || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const rows = [...event.currentTarget.querySelectorAll(".value-row")];
  const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (move !== undefined) focusRow(rows[rows.indexOf(row) + move]);
  else if (event.key === "Home") focusRow(rows[0]);
  else if (event.key === "End") focusRow(rows.at(-1));
  else if (event.key === "ArrowRight" || event.key === "ArrowLeft") goAcross(row, isInward(event));
  else return;
  event.preventDefault();
}

/** Where the page is read from the right, the tree is, too. */
const isInward = ({ key, currentTarget }: KeyboardEvent) =>
  (key === "ArrowRight") === (getComputedStyle(currentTarget).direction === "ltr");

function goAcross(row: Element, isInwards: boolean): void {
  const toggle = row.querySelector<HTMLElement>(":scope > .value-toggle");
  const isOpen = toggle?.ariaExpanded === "true";
  if (toggle !== null && isOpen !== isInwards) {
    toggle.click();
    // The button itself may have had the focus.
    focusRow(row);
  } else if (isInwards) focusRow(row.parentElement?.querySelector(":scope > ul .value-row"));
  else focusRow(row.parentElement?.parentElement?.closest("li")?.querySelector(".value-row"));
}

const focusRow = (row: Element | null | undefined) => row?.querySelector<HTMLElement>(MAIN)?.focus();

/** Where the focus goes when rows move or come. Most rows have no names: what moves is what they show. */
import { flushSync } from "react-dom";

const CONTROLS = "input, textarea, select, button, summary, [contenteditable=true]";

const rowsBeside = (row: Element): Element[] =>
  [...(row.parentElement?.children ?? [])].filter((one) => one.matches(".row-card"));

const controlsOf = (row: Element): HTMLElement[] => [...row.querySelectorAll<HTMLElement>(CONTROLS)];

/**
 * Moves the row of a control. The same control of what was moved has the focus afterwards, in view.
 * @returns The place, from 1, and how many rows there are; null at an end, where nothing moves.
 */
export function moveRow(
  control: Element,
  by: -1 | 1,
  onMove: (by: -1 | 1) => void,
): [place: number, count: number] | null {
  const row = control.closest(".row-card");
  if (row === null) return null;
  const before = rowsBeside(row).indexOf(row);
  if (rowsBeside(row)[before + by] === undefined) return null;
  const focused = controlsOf(row).findIndex((one) => one.matches(":focus"));
  flushSync(() => onMove(by));
  const rows = rowsBeside(row);
  // A row with a name has moved itself.
  const shown = rows.indexOf(row) === before ? rows[before + by] : row;
  if (shown === undefined) return null;
  controlsOf(shown)[focused]?.focus();
  shown.scrollIntoView({ block: "nearest" });
  return [rows.indexOf(shown) + 1, rows.length];
}

/** Adds a row before a button, or before the buttons beside it. Its first control has the focus afterwards. */
export function addRow(button: Element, onAdd: () => void): void {
  flushSync(onAdd);
  const row = rowBefore(button) ?? rowBefore(button.parentElement);
  const [first] = row === null ? [] : controlsOf(row);
  first?.focus();
  if (first instanceof HTMLInputElement) first.select();
}

function rowBefore(start: Element | null): Element | null {
  for (let at = start; at !== null; at = at.previousElementSibling) if (at.matches(".row-card")) return at;
  return null;
}

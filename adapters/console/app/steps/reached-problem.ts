/** Puts the focus on the field that has a problem, such as when a person goes from problem to problem with F8. */
import { type RefObject, useEffect } from "react";
import { reachMistake } from "../code-editor/code-editor.tsx";
import type { Problem } from "./kind-props.ts";

/**
 * @param reached The problem; null for none.
 * @param problems All of the step.
 */
export function useReachedProblem(
  room: RefObject<HTMLElement | null>,
  reached: Problem | null,
  problems: readonly Problem[],
  onReached: () => void,
): void {
  useEffect(() => {
    if (reached === null || room.current === null) return;
    const place = placeOf(room.current, reached, problems);
    if (place?.matches(EDITOR) === true) reachMistake(place);
    else place?.focus();
    onReached();
  }, [room, reached, problems, onReached]);
}

/** Its field; the message itself where it is about no field; the title of a closed section; else the whole panel. */
function placeOf(room: HTMLElement, { pointer, message }: Problem, problems: readonly Problem[]): HTMLElement | null {
  const notes = [...room.querySelectorAll<HTMLElement>(".field-error, .field-warning")];
  const found = notes.filter(({ textContent }) => textContent.includes(message));
  // Fields may have the same message: each problem leads to its own.
  const same = problems.filter((one) => one.message === message);
  const at = same.findIndex((one) => one.pointer === pointer);
  const note = found[Math.max(at, 0)] ?? found.at(-1);
  if (note !== undefined) return fieldOf(room, note) ?? focusable(note);
  return room.querySelector<HTMLElement>("summary:has(.section-problem)") ?? room.closest<HTMLElement>("[tabindex]");
}

const EDITOR = ".code-editor > textarea, .code-editor-host:not([hidden])";

function fieldOf(room: HTMLElement, note: HTMLElement): HTMLElement | null {
  const described =
    note.id === "" ? null : room.querySelector<HTMLElement>(`[aria-describedby~="${CSS.escape(note.id)}"]`);
  // No id reaches into an editor of code. Until it is loaded, a text area stands in its place.
  return described ?? note.closest(".field")?.querySelector<HTMLElement>(EDITOR) ?? null;
}

function focusable(note: HTMLElement): HTMLElement {
  note.tabIndex = -1;
  return note;
}

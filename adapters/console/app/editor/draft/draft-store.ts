/** A draft that is edited: its history, and who wants to know of changes. One for a page, whatever view shows it. */
import type { Definition } from "../../../../../src/workflows/version.ts";
import { adopting, changed, type History, historyOf, redone, undone } from "./history.ts";

export interface DraftStore {
  readonly history: () => History;
  readonly present: () => Definition;
  /** @param kind Changes of the same kind that follow each other at once are one, such as typing into a field. */
  readonly change: (change: (present: Definition) => Definition, kind?: string) => void;
  /** Takes over what others have stored. It cannot be undone here. */
  readonly adopt: (theirs: Definition) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  /** @returns Removes the listener. */
  readonly subscribe: (listener: () => void) => () => void;
}

/** @param now Milliseconds. */
export function createDraftStore(first: Definition, now: () => number): DraftStore {
  let history = historyOf(first);
  const listeners = new Set<() => void>();

  function set(next: History): void {
    if (next === history) return;
    history = next;
    for (const listener of [...listeners]) listener();
  }

  return {
    history: () => history,
    present: () => history.present,
    change: (change, kind) =>
      set(changed(history, change(history.present), kind === undefined ? { at: now() } : { at: now(), kind })),
    adopt: (theirs) => set(adopting(history, theirs)),
    undo: () => set(undone(history)),
    redo: () => set(redone(history)),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Keys of the list of runs, by what they do: the list and the page of shortcuts read this table. */

export type ListAction =
  | "next"
  | "previous"
  | "pageDown"
  | "pageUp"
  | "first"
  | "last"
  | "open"
  | "select"
  | "selectTo"
  | "selectAll"
  | "clear";

export interface ListShortcut {
  readonly action: ListAction;
  /** As `KeyboardEvent.key` says them, with `Shift+` and `Control+`. */
  readonly keys: readonly string[];
  /** Further keys, if letters are on. */
  readonly letters: readonly string[];
}

export const LIST_SHORTCUTS: readonly ListShortcut[] = [
  { action: "next", keys: ["ArrowDown"], letters: ["j"] },
  { action: "previous", keys: ["ArrowUp"], letters: ["k"] },
  { action: "pageDown", keys: ["PageDown"], letters: [] },
  { action: "pageUp", keys: ["PageUp"], letters: [] },
  { action: "first", keys: ["Home"], letters: [] },
  { action: "last", keys: ["End"], letters: [] },
  { action: "open", keys: ["Enter"], letters: [] },
  { action: "select", keys: [" "], letters: ["x"] },
  { action: "selectTo", keys: ["Shift+ "], letters: ["Shift+x"] },
  { action: "selectAll", keys: ["Control+a"], letters: [] },
  { action: "clear", keys: ["Escape"], letters: [] },
];

interface Pressed {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** @param hasLetters Whether single letters count (WCAG 2.1.4). */
export function listActionOf(event: Pressed, hasLetters: boolean): ListAction | undefined {
  if (event.altKey) return undefined;
  const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const pressed = `${event.ctrlKey || event.metaKey ? "Control+" : ""}${event.shiftKey ? "Shift+" : ""}${name}`;
  const found = LIST_SHORTCUTS.find(
    ({ keys, letters }) => keys.includes(pressed) || (hasLetters && letters.includes(pressed)),
  );
  return found?.action;
}

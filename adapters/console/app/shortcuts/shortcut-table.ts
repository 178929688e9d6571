/** Keys by what they do. What handles them and the page of shortcuts read the same tables. */

export interface Shortcut<Action extends string> {
  readonly action: Action;
  /** As `KeyboardEvent.key` names them, behind `Control+`, `Alt+` and `Shift+`, in this order. */
  readonly keys: readonly string[];
  /** Further keys, if single letters are on. */
  readonly letters: readonly string[];
}

interface Pressed {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** @param hasLetters Whether single letters count (WCAG 2.1.4). */
export function actionOf<Action extends string>(
  table: readonly Shortcut<Action>[],
  event: Pressed,
  hasLetters: boolean,
): Action | undefined {
  const pressed = pressedKey(event);
  return table.find(({ keys, letters }) => keys.includes(pressed) || (hasLetters && letters.includes(pressed)))?.action;
}

function pressedKey({ key, shiftKey, ctrlKey, metaKey, altKey }: Pressed): string {
  const name = key.length === 1 ? key.toLowerCase() : key;
  // On some keyboards, a sign such as the slash needs Shift.
  const isSign = name.length === 1 && name !== " " && name === name.toUpperCase();
  return [ctrlKey || metaKey ? "Control+" : "", altKey ? "Alt+" : "", shiftKey && !isSign ? "Shift+" : "", name].join(
    "",
  );
}

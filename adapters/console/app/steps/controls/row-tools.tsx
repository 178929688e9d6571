/** The buttons of a row: up, down, remove. Alt with an arrow key moves it, too. */

import type { ReactNode } from "react";
import { announce } from "../../elements/announced.tsx";
import { IconButton } from "../../elements/controls/button.tsx";
import { actionOf } from "../../shortcuts/shortcut-table.ts";
import { useTexts } from "../../texts/language.ts";
import { moveRow } from "./row-focus.ts";
import { ROW_SHORTCUTS } from "./row-shortcuts.ts";

interface RowToolsProps {
  /** What the row is, for screen readers. */
  readonly name: string;
  readonly onMove?: ((by: -1 | 1) => void) | undefined;
  readonly onRemove: () => void;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

export function RowTools({ name, onMove, onRemove, isFirst, isLast }: RowToolsProps) {
  const { steps: texts } = useTexts();
  const move = useMove();
  return (
    <span className="row-tools">
      {onMove === undefined ? null : (
        <>
          {/* Not `disabled`: the row that has arrived at an end keeps the focus. */}
          <IconButton
            icon="arrowUp"
            label={texts.moveUp(name)}
            aria-disabled={isFirst}
            onClick={({ currentTarget }) => move(currentTarget, -1, onMove)}
          />
          <IconButton
            icon="arrowDown"
            label={texts.moveDown(name)}
            aria-disabled={isLast}
            onClick={({ currentTarget }) => move(currentTarget, 1, onMove)}
          />
        </>
      )}
      <IconButton icon="trash" label={texts.removeNamed(name)} onClick={onRemove} />
    </span>
  );
}

/** Moves the row of a control, and says where it is then. */
function useMove() {
  const { steps: texts } = useTexts();
  return (control: Element, by: -1 | 1, onMove: (by: -1 | 1) => void): void => {
    const moved = moveRow(control, by, onMove);
    if (moved !== null) announce(texts.movedTo(...moved));
  };
}

interface RowProps {
  readonly name: string;
  readonly onMove?: ((by: -1 | 1) => void) | undefined;
  readonly children: ReactNode;
}

/** A row of a list, as a group with a name. */
export function Row({ name, onMove, children }: RowProps) {
  const move = useMove();
  return (
    <fieldset
      className="row-card"
      aria-label={name}
      onKeyDown={(event) => {
        const action = actionOf(ROW_SHORTCUTS, event, false);
        if (action === undefined || onMove === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        move(event.currentTarget, action === "moveUp" ? -1 : 1, onMove);
      }}
    >
      {children}
    </fieldset>
  );
}

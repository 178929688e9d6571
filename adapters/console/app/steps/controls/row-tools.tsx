/** The buttons of a row: up, down, remove. Alt with an arrow key moves it, too. */
import type { ReactNode } from "react";
import { IconButton } from "../../elements/controls/button.tsx";
import { actionOf } from "../../shortcuts/shortcut-table.ts";
import { useTexts } from "../../texts/language.ts";
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
  return (
    <span className="row-tools">
      {onMove === undefined ? null : (
        <>
          {/* Not `disabled`: the row that has arrived at an end keeps the focus. */}
          <IconButton
            icon="arrowUp"
            label={texts.moveUp(name)}
            aria-disabled={isFirst}
            onClick={() => (isFirst ? undefined : onMove(-1))}
          />
          <IconButton
            icon="arrowDown"
            label={texts.moveDown(name)}
            aria-disabled={isLast}
            onClick={() => (isLast ? undefined : onMove(1))}
          />
        </>
      )}
      <IconButton icon="trash" label={texts.removeNamed(name)} onClick={onRemove} />
    </span>
  );
}

interface RowProps {
  readonly name: string;
  readonly onMove?: ((by: -1 | 1) => void) | undefined;
  readonly children: ReactNode;
}

/** A row of a list, as a group with a name. */
export function Row({ name, onMove, children }: RowProps) {
  return (
    <fieldset
      className="row-card"
      aria-label={name}
      onKeyDown={(event) => {
        const action = actionOf(ROW_SHORTCUTS, event, false);
        if (action === undefined || onMove === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        onMove(action === "moveUp" ? -1 : 1);
      }}
    >
      {children}
    </fieldset>
  );
}

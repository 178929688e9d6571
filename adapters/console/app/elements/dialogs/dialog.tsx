/** A modal dialog: the browser's own. */
import { type ReactNode, useId } from "react";
import { useTexts } from "../../texts/language.ts";
import { IconButton } from "../controls/button.tsx";
import { focusDialog } from "./dialog-focus.ts";
import { useModal } from "./use-modal.ts";
import "./dialog.css";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons at the end. */
  readonly actions?: ReactNode;
  /** @default "normal" */
  readonly size?: "normal" | "wide";
  /** Whether only a button of `actions` closes it: what it shows would be lost. @default false */
  readonly isHeld?: boolean;
}

export function Dialog({ title, onClose, children, actions, size = "normal", isHeld = false }: DialogProps) {
  const { general } = useTexts();
  const dialog = useModal(focusDialog);
  const titleId = useId();
  return (
    <dialog
      ref={dialog}
      className={`dialog ${size}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        if (!isHeld) onClose();
      }}
      onKeyDown={(event) => {
        // A browser closes a dialog at the second Escape, whatever it does about the first.
        if (isHeld && event.key === "Escape") event.preventDefault();
      }}
    >
      <header>
        <h2 id={titleId} tabIndex={-1}>
          {title}
        </h2>
        {isHeld ? null : <IconButton icon="close" label={general.close} onClick={onClose} />}
      </header>
      <div className="dialog-body">{children}</div>
      {actions === undefined ? null : <footer>{actions}</footer>}
    </dialog>
  );
}

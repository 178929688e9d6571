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
  /** Called for Escape. Returns whether the dialog may close. @default it may */
  readonly mayClose?: () => boolean;
}

export function Dialog({
  title,
  onClose,
  children,
  actions,
  size = "normal",
  isHeld = false,
  mayClose = () => true,
}: DialogProps) {
  const { general } = useTexts();
  const dialog = useModal(focusDialog);
  const titleId = useId();
  return (
    <dialog
      ref={dialog}
      className={`dialog ${size}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // A picker of files that is closed without a choice cancels its input.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        if (!isHeld) onClose();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented || hasOpenPopover(event.currentTarget)) return;
        // Here: a browser closes a dialog at the second Escape, whatever is done about its event for closing.
        if (isHeld || !mayClose()) event.preventDefault();
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

/** Whether Escape closes a menu in the dialog. */
const hasOpenPopover = (dialog: Element) => dialog.querySelector(":popover-open") !== null;

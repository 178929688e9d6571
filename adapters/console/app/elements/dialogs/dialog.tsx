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
}

export function Dialog({ title, onClose, children, actions, size = "normal" }: DialogProps) {
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
        onClose();
      }}
    >
      <header>
        <h2 id={titleId} tabIndex={-1}>
          {title}
        </h2>
        <IconButton icon="close" label={general.close} onClick={onClose} />
      </header>
      <div className="dialog-body">{children}</div>
      {actions === undefined ? null : <footer>{actions}</footer>}
    </dialog>
  );
}

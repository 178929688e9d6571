/** A modal dialog: the browser's own. Escape and the backdrop close it. */
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { useTexts } from "../../texts/language.ts";
import { IconButton } from "../controls/button.tsx";
import { keepFocus } from "../keep-focus.ts";
import { focusDialog } from "./dialog-focus.ts";
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
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Closing it gives the focus back to what opened it, but only before React has removed it from the page.
  useLayoutEffect(() => {
    const { current } = dialog;
    if (current === null) return;
    current.showModal();
    const stop = focusDialog(current);
    return () => {
      stop();
      current.close();
      queueMicrotask(keepFocus); // React removes what opened it, too, if that is gone
    };
  }, []);
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

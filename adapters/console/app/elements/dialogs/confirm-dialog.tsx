/** Asks before something that cannot be undone. */
import type { ReactNode } from "react";
import { useTexts } from "../../texts/language.ts";
import { announce } from "../announced.tsx";
import { Button } from "../controls/button.tsx";
import { ProblemNote } from "../problem-note.tsx";
import { useFocusOnRefusal } from "../refusal-focus.ts";
import { Dialog } from "./dialog.tsx";
import { useAction } from "./use-action.ts";

interface ConfirmDialogProps {
  readonly title: string;
  readonly children?: ReactNode;
  /** What the button does. */
  readonly action: string;
  /** What the button says that does nothing. @default "Cancel" */
  readonly cancel?: string;
  /** @default true */
  readonly isDangerous?: boolean;
  /** The dialog closes when it has resolved, and shows what it rejects with. */
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
  /** Whether the dialog itself says what an error says. @default it does not */
  readonly isExplained?: (error: unknown) => boolean;
  /** What screen readers hear when it is done. */
  readonly done?: string;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { general } = useTexts();
  const { title, children, action, cancel = general.cancel, isDangerous = true, onConfirm, onClose, done } = props;
  const { isExplained = () => false } = props;
  const { isBusy, error, run } = useAction();
  useFocusOnRefusal(error);

  async function confirm(): Promise<void> {
    if (!(await run(onConfirm))) return;
    onClose();
    if (done !== undefined) announce(done);
  }

  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button kind={isDangerous ? "danger" : "primary"} isBusy={isBusy} onClick={() => void confirm()}>
            {action}
          </Button>
        </>
      }
    >
      {children}
      {error === null || isExplained(error) ? null : <ProblemNote error={error} />}
    </Dialog>
  );
}

/** A dialog with a form. What was typed stays until it is sent or canceled. */
import { type FormEvent, type ReactNode, useId, useRef } from "react";
import { useTexts } from "../../texts/language.ts";
import { announce } from "../announced.tsx";
import { Button } from "../controls/button.tsx";
import { areFieldsValid } from "../fields/own-validity.ts";
import { ProblemNote } from "../problem-note.tsx";
import { useFocusOnRefusal } from "../refusal-focus.ts";
import { useLock } from "../use-lock.ts";
import { Dialog } from "./dialog.tsx";
import { isShownAtFields, useAction } from "./use-action.ts";
import { useDiscardQuestion } from "./use-discard-question.ts";

interface FormDialogProps {
  readonly title: string;
  /** What the button at the end does. */
  readonly action: string;
  /**
   * The dialog closes when it has resolved, unless to false: then a field says what is wrong. Its error is shown at its
   * fields, or above them.
   */
  readonly onSubmit: () => Promise<unknown>;
  readonly onClose: () => void;
  /** JSON Pointers of the fields that show their errors themselves. */
  readonly pointers?: readonly string[];
  readonly size?: "normal" | "wide";
  /** Whether there is something to send. @default true */
  readonly canSubmit?: boolean;
  /** What a screen reader says when it has worked; null where another page opens. @default that it is saved */
  readonly announcement?: null;
  readonly children: (error: unknown) => ReactNode;
}

export function FormDialog({
  title,
  action,
  onSubmit,
  onClose,
  pointers = [],
  size = "normal",
  canSubmit = true,
  announcement,
  children,
}: FormDialogProps) {
  const { general } = useTexts();
  const { isBusy, error, run } = useAction();
  const place = useFocusOnRefusal<HTMLFormElement>(error);
  const formId = useId();
  const isTouched = useRef(false);
  const isSending = useRef(false);
  useLock(place, () => isSending.current);
  const mayClose = useDiscardQuestion(
    () => isTouched.current,
    () => isSending.current,
  );

  function close(): void {
    isTouched.current = false;
    onClose();
  }

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    event.stopPropagation(); // React passes events through dialogs to the form that they are in
    if (!areFieldsValid(event.currentTarget)) return;
    let isSent = false;
    const hasWorked = await run(async () => {
      isSending.current = true;
      try {
        isSent = (await onSubmit()) !== false;
      } finally {
        isSending.current = false;
      }
    });
    if (!hasWorked || !isSent) return;
    close();
    if (announcement !== null) announce(general.saved);
  }

  return (
    <Dialog
      title={title}
      onClose={close}
      mayClose={mayClose}
      size={size}
      actions={
        <>
          <Button onClick={close}>{general.cancel}</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={isBusy} disabled={!canSubmit}>
            {action}
          </Button>
        </>
      }
    >
      <form
        ref={place}
        id={formId}
        noValidate
        className="form-dialog"
        onInput={() => {
          isTouched.current = true;
        }}
        onSubmit={(event) => void submit(event)}
      >
        {error === null || isShownAtFields(error, pointers) ? null : <ProblemNote error={error} />}
        {children(error)}
      </form>
    </Dialog>
  );
}

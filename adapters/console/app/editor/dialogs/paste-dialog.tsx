/** Adds steps from JSON text, where the keyboard of the browser cannot paste. */
import { useState } from "react";
import type { Step } from "../../../../../src/workflows/step.ts";
import { Button } from "../../elements/controls/button.tsx";
import { Dialog } from "../../elements/dialogs/dialog.tsx";
import { useDiscardQuestion } from "../../elements/dialogs/use-discard-question.ts";
import { JsonTextField } from "../../elements/fields/json-text-field.tsx";
import { useTexts } from "../../texts/language.ts";
import { stepsOfText } from "../draft/clipboard.ts";

interface PasteDialogProps {
  readonly onPaste: (steps: readonly Step[]) => void;
  readonly onClose: () => void;
}

export function PasteDialog({ onPaste, onClose }: PasteDialogProps) {
  const { editor: texts, general } = useTexts();
  const [text, setText] = useState("");
  const mayClose = useDiscardQuestion(() => text !== "");
  const steps = text.trim() === "" ? [] : stepsOfText(text);
  return (
    <Dialog
      title={texts.pasteTitle}
      onClose={onClose}
      mayClose={mayClose}
      actions={
        <>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button kind="primary" disabled={steps === null || steps.length === 0} onClick={() => onPaste(steps ?? [])}>
            {texts.pasteAction}
          </Button>
        </>
      }
    >
      <JsonTextField
        label={general.value}
        hint={texts.pasteHint}
        error={steps === null ? texts.pasteRefused : null}
        value={text}
        onChange={setText}
      />
    </Dialog>
  );
}

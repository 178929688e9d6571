/** Renames a step. */
import { type FormEvent, useId, useState } from "react";
import type { Definition } from "../../../../../src/workflows/version.ts";
import { Button } from "../../elements/controls/button.tsx";
import { Dialog } from "../../elements/dialogs/dialog.tsx";
import { Field } from "../../elements/fields/field.tsx";
import { isForbiddenKey } from "../../steps/step-key.ts";
import { useTexts } from "../../texts/language.ts";

interface RenameDialogProps {
  readonly definition: Definition;
  readonly step: string;
  readonly onRename: (key: string) => void;
  readonly onClose: () => void;
}

const MAX_LENGTH = 128;

export function RenameDialog({ definition, step, onRename, onClose }: RenameDialogProps) {
  const { editor: texts, general } = useTexts();
  const [key, setKey] = useState(step);
  const form = useId();
  const isTaken = key !== step && definition.steps.some((one) => one.key === key);
  const hasLength = key.length > 0 && key.length <= MAX_LENGTH;
  const problem = isForbiddenKey(key) ? texts.renameForbidden(key) : hasLength ? null : texts.renameLength;
  const error = isTaken ? texts.renameTaken : problem;

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (error === null) onRename(key);
  }

  return (
    <Dialog
      title={texts.renameTitle(step)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button kind="primary" type="submit" form={form} disabled={error !== null}>
            {texts.renameAction}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit}>
        <Field label={texts.renameKey} hint={texts.renameHint} error={error}>
          {(attributes) => (
            <input
              {...attributes}
              value={key}
              autoComplete="off"
              spellCheck={false}
              onFocus={({ target }) => target.select()}
              onChange={({ target }) => setKey(target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}

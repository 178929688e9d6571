/** Imports a document of definitions. Problems are shown with their places. */
import { useState } from "react";
import { Button } from "../elements/controls/button.tsx";
import { Dialog } from "../elements/dialogs/dialog.tsx";
import { Field } from "../elements/fields/field.tsx";
import { ProblemNote } from "../elements/problem-note.tsx";
import { useFocusOnRefusal } from "../elements/refusal-focus.ts";
import { useNavigateFromHere } from "../routing/location.ts";
import { client, isServerError } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";

interface ImportDialogProps {
  readonly appId: string;
  readonly onClose: () => void;
}

export function ImportDialog({ appId, onClose }: ImportDialogProps) {
  const { overview: texts, general } = useTexts();
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  useFocusOnRefusal(problem ?? error);
  const [isBusy, setBusy] = useState(false);
  const navigateFromHere = useNavigateFromHere();

  async function importIt(): Promise<void> {
    setProblem(null);
    setError(null);
    setBusy(true);
    try {
      // The server checks its shape.
      const { workflow_id } = await client.workflows.import(appId, JSON.parse(text));
      navigateFromHere(workflow_id === null ? `/apps/${appId}/workflows` : `/apps/${appId}/workflows/${workflow_id}`);
      onClose();
    } catch (cause) {
      if (cause instanceof SyntaxError) setProblem(texts.notJson(cause.message));
      else if (isServerError(cause) && cause.errors?.length === 1) setProblem(cause.message);
      else setError(cause);
      setBusy(false);
    }
  }

  return (
    <Dialog
      title={texts.paste}
      size="wide"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button kind="primary" isBusy={isBusy} disabled={text.trim() === ""} onClick={() => void importIt()}>
            {texts.importIt}
          </Button>
        </>
      }
    >
      <Field label={texts.document} hint={texts.documentHint} error={problem}>
        {(attributes) => (
          <textarea
            {...attributes}
            className="code"
            rows={14}
            dir="ltr"
            spellCheck={false}
            placeholder={texts.documentExample}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      {error === null ? null : <ProblemNote error={error} />}
    </Dialog>
  );
}

/** Creates a workflow: an empty one, or a copy of another one's draft. */
import { type FormEvent, useId, useState } from "react";
import { definitionOf } from "../../../../src/workflows/version.ts";
import type { Workflow } from "../../../../src/workflows/workflow.ts";
import { Button } from "../elements/controls/button.tsx";
import { Dialog } from "../elements/dialogs/dialog.tsx";
import { Field } from "../elements/fields/field.tsx";
import { ProblemNote } from "../elements/problem-note.tsx";
import { useFocusOnRefusal } from "../elements/refusal-focus.ts";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";

interface NewWorkflowDialogProps {
  readonly appId: string;
  /** The workflow to copy. */
  readonly from?: Workflow;
  readonly onCreated: (id: string) => void;
  readonly onClose: () => void;
}

const MAX_NAME = 256;

export function NewWorkflowDialog({ appId, from, onCreated, onClose }: NewWorkflowDialogProps) {
  const { workflows: texts, general } = useTexts();
  const [name, setName] = useState(from === undefined ? "" : texts.copyName(from.name).slice(0, MAX_NAME));
  const [error, setError] = useState<unknown>(null);
  useFocusOnRefusal(error);
  const [isBusy, setBusy] = useState(false);
  const form = useId();

  async function create(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    try {
      const { id } = await client.workflows.create(appId, {
        name,
        ...(from === undefined ? undefined : await copyOf(from)),
      });
      onClose();
      onCreated(id);
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  }

  return (
    <Dialog
      title={from === undefined ? texts.newTitle : texts.duplicate}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button kind="primary" type="submit" form={form} isBusy={isBusy}>
            {general.create}
          </Button>
        </>
      }
    >
      {error === null ? null : <ProblemNote error={error} />}
      <form id={form} onSubmit={(event) => void create(event)}>
        <Field label={texts.nameLabel}>
          {(attributes) => (
            <input
              {...attributes}
              required
              maxLength={MAX_NAME}
              autoComplete="off"
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}

/** What a copy has of its original: the draft, and the description. */
async function copyOf({ app_id, id, description }: Workflow) {
  return { description, ...definitionOf(await client.workflows.getDraft(app_id, id)) };
}

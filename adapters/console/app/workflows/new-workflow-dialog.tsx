/** Creates a workflow: an empty one, or a copy of another one's draft. */
import { useState } from "react";
import { definitionOf } from "../../../../src/workflows/version.ts";
import type { Workflow } from "../../../../src/workflows/workflow.ts";
import { FormDialog } from "../elements/dialogs/form-dialog.tsx";
import { fieldError } from "../elements/dialogs/use-action.ts";
import { Field } from "../elements/fields/field.tsx";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";
import type { Messages } from "../texts/messages.ts";

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
  const [name, setName] = useState(from === undefined ? "" : copyName(texts, from.name));
  async function create(): Promise<void> {
    const copied = from === undefined ? undefined : await copyOf(from);
    onCreated((await client.workflows.create(appId, { name, ...copied })).id);
  }

  return (
    <FormDialog
      title={from === undefined ? texts.newTitle : texts.duplicate}
      action={general.create}
      onSubmit={create}
      onClose={onClose}
      pointers={["/name"]}
    >
      {(error) => (
        <Field label={texts.nameLabel} error={fieldError(error, "/name")}>
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
      )}
    </FormDialog>
  );
}

/** It is stored, so it has no signs that isolate the name, unlike a sentence. */
const copyName = (texts: Messages["workflows"], name: string) =>
  texts
    .copyName("%")
    .replace("%", () => name)
    .slice(0, MAX_NAME);

/** What a copy has of its original: the draft, and the description. */
async function copyOf({ app_id, id, description }: Workflow) {
  return { description, ...definitionOf(await client.workflows.getDraft(app_id, id)) };
}

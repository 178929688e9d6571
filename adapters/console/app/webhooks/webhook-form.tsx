/** Creates or changes an outgoing webhook. */
import { useState } from "react";
import type { Webhook } from "../../../../src/webhooks/webhook.ts";
import { CollectionPicker } from "../collections/collection-picker.tsx";
import { FormDialog } from "../elements/dialogs/form-dialog.tsx";
import { fieldError } from "../elements/dialogs/use-action.ts";
import { Field } from "../elements/fields/field.tsx";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";
import { WorkflowPicker } from "../workflows/workflow-picker.tsx";
import { EventsField } from "./events-field.tsx";

interface WebhookFormProps {
  readonly appId: string;
  /** Null for a new one. */
  readonly webhook: Webhook | null;
  /** Called with the secret of a new webhook, and with null for a changed one. */
  readonly onSaved: (secret: string | null) => void;
  readonly onClose: () => void;
}

export function WebhookForm({ appId, webhook, onSaved, onClose }: WebhookFormProps) {
  const { webhooks: texts, general } = useTexts();
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [events, setEvents] = useState<readonly string[]>(webhook?.events ?? ["run.*"]);
  const [workflowId, setWorkflowId] = useState(webhook?.workflow_id ?? "");
  const [collectionId, setCollectionId] = useState(webhook?.collection_id ?? "");
  const save = async () => {
    const settings = {
      url,
      events: [...events],
      workflow_id: workflowId === "" ? null : workflowId,
      collection_id: collectionId === "" ? null : collectionId,
    };
    if (webhook === null) onSaved((await client.webhooks.create(appId, settings)).secret);
    else {
      await client.webhooks.update(appId, webhook.id, settings);
      onSaved(null);
    }
  };
  return (
    <FormDialog
      title={webhook === null ? texts.newOutgoing : general.edit}
      action={webhook === null ? general.create : general.save}
      onSubmit={save}
      onClose={onClose}
      pointers={["/url", "/events", "/workflow_id", "/collection_id"]}
    >
      {(error) => (
        <>
          <Field label={texts.url} error={fieldError(error, "/url")}>
            {(attributes) => (
              <input {...attributes} type="url" required value={url} onChange={({ target }) => setUrl(target.value)} />
            )}
          </Field>
          <EventsField events={events} onChange={setEvents} error={fieldError(error, "/events")} />
          <WorkflowPicker
            appId={appId}
            label={texts.workflow}
            hint={texts.workflowHint}
            noneLabel={general.all}
            value={workflowId}
            onChange={setWorkflowId}
            error={fieldError(error, "/workflow_id")}
          />
          <CollectionPicker
            appId={appId}
            label={texts.collection}
            hint={texts.collectionHint}
            noneLabel={general.all}
            value={collectionId}
            onChange={setCollectionId}
            error={fieldError(error, "/collection_id")}
          />
        </>
      )}
    </FormDialog>
  );
}

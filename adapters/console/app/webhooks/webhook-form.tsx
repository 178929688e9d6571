/** Creates or changes an outgoing webhook. */
import { useState } from "react";
import type { IssuedWebhook, Webhook } from "../../../../src/webhooks/webhook.ts";
import { CollectionPicker } from "../collections/collection-picker.tsx";
import { FormDialog } from "../elements/dialogs/form-dialog.tsx";
import { fieldError } from "../elements/dialogs/use-action.ts";
import { Field } from "../elements/fields/field.tsx";
import { setOf, type TextSet } from "../merging/three-way.ts";
import { useMergedSave } from "../merging/use-merged-save.tsx";
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

interface WebhookFields {
  readonly url: string;
  readonly events: TextSet;
  /** Empty for all. */
  readonly workflow_id: string;
  readonly collection_id: string;
}

const fieldsOf = ({ url, events, workflow_id, collection_id }: Webhook): WebhookFields => ({
  url,
  events: setOf(events),
  workflow_id: workflow_id ?? "",
  collection_id: collection_id ?? "",
});

const NEW: WebhookFields = { url: "", events: { "run.*": true }, workflow_id: "", collection_id: "" };

const orNull = (text: string) => (text === "" ? null : text);

export function WebhookForm({ appId, webhook, onSaved, onClose }: WebhookFormProps) {
  const { webhooks: texts, general } = useTexts();
  const [fields, setFields] = useState(() => (webhook === null ? NEW : fieldsOf(webhook)));
  const change = (changes: Partial<WebhookFields>) => setFields({ ...fields, ...changes });
  const merging = useMergedSave<Webhook | IssuedWebhook, WebhookFields>({
    first: webhook,
    fieldsOf,
    revisionOf: () => null,
    names: {
      url: { label: texts.url },
      events: { label: texts.events, isOne: true },
      workflow_id: { label: texts.workflow },
      collection_id: { label: texts.collection },
    },
    read: ({ id }) => client.webhooks.get(appId, id),
    write({ url, events, workflow_id, collection_id }, base) {
      const settings = {
        url,
        events: Object.keys(events),
        workflow_id: orNull(workflow_id),
        collection_id: orNull(collection_id),
      };
      return base === null ? client.webhooks.create(appId, settings) : client.webhooks.update(appId, base.id, settings);
    },
    current: () => fields,
    show: setFields,
  });
  const save = async () => {
    const saved = await merging.save(fields);
    if (saved !== null) onSaved("secret" in saved.stored ? saved.stored.secret : null);
    return saved !== null;
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
          {merging.note}
          <Field label={texts.url} error={fieldError(error, "/url")}>
            {(attributes) => (
              <input
                {...attributes}
                type="url"
                required
                value={fields.url}
                onChange={({ target }) => change({ url: target.value })}
              />
            )}
          </Field>
          <EventsField
            events={Object.keys(fields.events)}
            onChange={(events) => change({ events: setOf(events) })}
            error={fieldError(error, "/events")}
          />
          <WorkflowPicker
            appId={appId}
            label={texts.workflow}
            hint={texts.workflowHint}
            noneLabel={general.all}
            value={fields.workflow_id}
            onChange={(workflow_id) => change({ workflow_id })}
            error={fieldError(error, "/workflow_id")}
          />
          <CollectionPicker
            appId={appId}
            label={texts.collection}
            hint={texts.collectionHint}
            noneLabel={general.all}
            value={fields.collection_id}
            onChange={(collection_id) => change({ collection_id })}
            error={fieldError(error, "/collection_id")}
          />
        </>
      )}
    </FormDialog>
  );
}

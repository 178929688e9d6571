/** Creates or changes a trigger. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Trigger, TriggerConfig } from "../../../../src/collections/triggers/trigger.ts";
import type { JsonValue } from "../../../../src/json.ts";
import { omitUndefined } from "../../../../src/json.ts";
import { FormDialog } from "../elements/dialogs/form-dialog.tsx";
import { fieldError } from "../elements/dialogs/use-action.ts";
import { Field } from "../elements/fields/field.tsx";
import { JsonField } from "../elements/fields/json-field.tsx";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";

interface TriggerFormProps {
  readonly appId: string;
  readonly collectionId: string;
  /** Null for a new one. */
  readonly trigger: Trigger | null;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

const BUILT_IN = ["webhook", "poll", "loan_origination"];

export function TriggerForm({ appId, collectionId, trigger, onSaved, onClose }: TriggerFormProps) {
  const { collections: texts, general } = useTexts();
  const [name, setName] = useState(trigger?.name ?? "");
  const [type, setType] = useState(trigger?.type ?? "webhook");
  const [config, setConfig] = useState<JsonValue>((trigger?.config as JsonValue | undefined) ?? { mappings: [] });
  const [connectionId, setConnectionId] = useState(trigger?.connection_id ?? "");
  const connections = useQuery({
    queryKey: [appId, "connections", "all"],
    queryFn: () => client.connections.list(appId, { take: 1_000 }),
  });
  const save = async () => {
    const settings = {
      name,
      type,
      config: { ...Object(config), type } as TriggerConfig, // the server checks it
      ...omitUndefined({ connection_id: connectionId === "" ? undefined : connectionId }),
    };
    if (trigger === null) await client.triggers.create(appId, collectionId, settings);
    else await client.triggers.update(appId, collectionId, trigger.id, settings);
    onSaved();
  };
  return (
    <FormDialog
      title={trigger === null ? texts.newTrigger : trigger.name}
      action={general.save}
      onSubmit={save}
      onClose={onClose}
      pointers={["/name", "/type", "/config", "/connection_id"]}
    >
      {(error) => (
        <>
          <Field label={general.name} error={fieldError(error, "/name")}>
            {(attributes) => (
              <input
                {...attributes}
                required
                maxLength={256}
                value={name}
                onChange={({ target }) => setName(target.value)}
              />
            )}
          </Field>
          <Field label={texts.type} error={fieldError(error, "/type")}>
            {(attributes) => (
              <>
                <input
                  {...attributes}
                  required
                  list="trigger-types"
                  value={type}
                  onChange={({ target }) => setType(target.value)}
                />
                <datalist id="trigger-types">
                  {BUILT_IN.map((one) => (
                    <option key={one} value={one} />
                  ))}
                </datalist>
              </>
            )}
          </Field>
          <Field label={texts.connection} isOptional error={fieldError(error, "/connection_id")}>
            {(attributes) => (
              <select {...attributes} value={connectionId} onChange={({ target }) => setConnectionId(target.value)}>
                <option value="">{texts.noConnection}</option>
                {(connections.data?.items ?? []).map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <JsonField
            label={texts.config}
            hint={texts.configHint}
            value={config}
            onChange={setConfig}
            error={fieldError(error, "/config")}
          />
        </>
      )}
    </FormDialog>
  );
}

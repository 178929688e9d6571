/** Creates a connection without leaving the form that needs one. */
import { type ComponentType, useState } from "react";
import { schemaModel } from "../../../../../src/forms/model/schema-model.ts";
import { useTriggerTypes } from "../../collections/triggers/use-trigger-types.ts";
import { FormDialog } from "../../elements/dialogs/form-dialog.tsx";
import { fieldError } from "../../elements/dialogs/use-action.ts";
import { Field } from "../../elements/fields/field.tsx";
import { Loading } from "../../elements/loading.tsx";
import { ProblemNote } from "../../elements/problem-note.tsx";
import { client } from "../../server/client.ts";
import { useServicesQuery } from "../../steps/server-data.ts";
import { useTexts } from "../../texts/language.ts";
import type { FormProps } from "../control-props.ts";
import { SwitchedForm } from "../parts/switched-form.tsx";
import { useFormPart } from "../parts/use-form-part.ts";

interface NewConnectionProps {
  readonly Form: ComponentType<FormProps>;
  readonly appId: string;
  /** Names of services; null for any. */
  readonly allowedTypes: readonly string[] | null;
  readonly onCreated: (connectionId: string) => void;
  readonly onClose: () => void;
}

export default function NewConnection({ Form, appId, allowedTypes, onCreated, onClose }: NewConnectionProps) {
  const { forms, general, connections } = useTexts();
  const [chosen, setChosen] = useState<string | null>(null);
  const found = useServicesQuery(appId);
  const types = useTriggerTypes(appId);
  const isLoading = found.isPending || types.isPending;
  const all = isLoading ? [] : [...(found.data ?? []), ...(types.data ?? [])];
  const services = all.filter(
    ({ name, connection, needs_connection }) =>
      (needs_connection || connection !== null) && (allowedTypes === null || allowedTypes.includes(name)),
  );
  const service = services.find(({ name }) => name === chosen) ?? services[0];
  const part = useFormPart(null);
  const [typedName, setTypedName] = useState<string | null>(null);
  const name = typedName ?? service?.title ?? service?.name ?? "";

  async function create(): Promise<boolean> {
    const credentials = part.read();
    if (credentials === null || service === undefined) return false;
    try {
      const created = await client.connections.create(appId, { name, service: service.name, credentials });
      onCreated(created.id);
      return true;
    } catch (error) {
      part.refuse(error, "/credentials");
      throw error;
    }
  }

  return (
    <FormDialog
      title={forms.newConnection}
      action={general.create}
      canSubmit={service !== undefined}
      pointers={["/name", "/credentials"]}
      onSubmit={create}
      onClose={onClose}
    >
      {(error) => (
        <>
          {isLoading ? <Loading /> : null}
          {found.error === null ? null : <ProblemNote error={found.error} onRetry={() => void found.refetch()} />}
          {found.data !== undefined && !isLoading && service === undefined ? <p>{forms.noServices}</p> : null}
          {services.length > 1 && service !== undefined ? (
            <Field label={forms.service}>
              {(attributes) => (
                <select
                  {...attributes}
                  value={service.name}
                  onChange={({ target }) => {
                    setChosen(target.value);
                    setTypedName(null);
                    part.values.current = null; // credentials of another service
                  }}
                >
                  {services.map(({ name: value, title }) => (
                    <option key={value} value={value}>
                      {title ?? value}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          ) : null}
          {service === undefined ? null : (
            <>
              <Field label={forms.connectionName} error={fieldError(error, "/name")}>
                {(attributes) => (
                  <input
                    {...attributes}
                    maxLength={256}
                    value={name}
                    onChange={({ target }) => setTypedName(target.value)}
                  />
                )}
              </Field>
              <SwitchedForm
                key={service.name}
                Form={Form}
                part={part}
                makeModel={() => schemaModel(service.connection)}
                appId={appId}
                label={connections.credentials}
              />
            </>
          )}
        </>
      )}
    </FormDialog>
  );
}

/** Creates a connection without leaving the form that needs one. */
import { useQuery } from "@tanstack/react-query";
import { type ComponentType, useState } from "react";
import { schemaModel } from "../../../../../src/forms/model/schema-model.ts";
import { isRecord, type JsonObject } from "../../../../../src/json.ts";
import type { ServiceInfo } from "../../../../../src/services/service-info.ts";
import { Button } from "../../elements/controls/button.tsx";
import { Dialog } from "../../elements/dialogs/dialog.tsx";
import { Field } from "../../elements/fields/field.tsx";
import { Loading } from "../../elements/loading.tsx";
import { ProblemNote } from "../../elements/problem-note.tsx";
import { client } from "../../server/client.ts";
import { useTexts } from "../../texts/language.ts";
import type { FormProps } from "../control-props.ts";
import { ErrorSummary } from "../error-summary.tsx";
import { useFormState } from "../use-form-state.ts";

interface NewConnectionProps {
  readonly Form: ComponentType<FormProps>;
  readonly appId: string;
  /** Names of services; null for any. */
  readonly allowedTypes: readonly string[] | null;
  readonly onCreated: (connectionId: string) => void;
  readonly onClose: () => void;
}

export default function NewConnection({ Form, appId, allowedTypes, onCreated, onClose }: NewConnectionProps) {
  const { forms } = useTexts();
  const [chosen, setChosen] = useState<string | null>(null);
  const found = useQuery({ queryKey: [appId, "services"], queryFn: () => client.services.list() });
  const types = useQuery({
    queryKey: [appId, "trigger-types"],
    queryFn: () => client.triggerTypes.list(),
    retry: false,
  });
  const services = [...(found.data ?? []), ...(types.data ?? [])].filter(
    ({ name, connection, needs_connection }) =>
      (needs_connection || connection !== null) && (allowedTypes === null || allowedTypes.includes(name)),
  );
  const service = services.find(({ name }) => name === chosen) ?? services[0];
  return (
    <Dialog title={forms.newConnection} onClose={onClose}>
      {found.isPending ? <Loading /> : null}
      {found.error === null ? null : <ProblemNote error={found.error} onRetry={() => void found.refetch()} />}
      {found.data !== undefined && !types.isPending && service === undefined ? <p>{forms.noServices}</p> : null}
      {services.length > 1 && service !== undefined ? (
        <Field label={forms.service}>
          {(attributes) => (
            <select {...attributes} value={service.name} onChange={({ target }) => setChosen(target.value)}>
              {services.map(({ name, title }) => (
                <option key={name} value={name}>
                  {title ?? name}
                </option>
              ))}
            </select>
          )}
        </Field>
      ) : null}
      {service === undefined ? null : (
        <Credentials key={service.name} Form={Form} appId={appId} service={service} onCreated={onCreated} />
      )}
    </Dialog>
  );
}

interface CredentialsProps {
  readonly Form: ComponentType<FormProps>;
  readonly appId: string;
  /** A service, or a trigger type. */
  readonly service: Pick<ServiceInfo, "name" | "title" | "connection">;
  readonly onCreated: (connectionId: string) => void;
}

function Credentials({ Form, appId, service, onCreated }: CredentialsProps) {
  const { forms, general } = useTexts();
  const [name, setName] = useState(service.title ?? service.name);
  const form = useFormState(() => schemaModel(service.connection));
  const [isBusy, setBusy] = useState(false);

  async function create(): Promise<void> {
    const credentials = form.read();
    if (credentials === null) return;
    setBusy(true);
    try {
      const given: JsonObject = isRecord(credentials) ? credentials : {};
      const created = await client.connections.create(appId, { name, service: service.name, credentials: given });
      onCreated(created.id);
    } catch (error) {
      form.refuse(error, "/credentials");
      setBusy(false);
    }
  }

  return (
    <form
      noValidate
      className="form-body"
      onSubmit={(event) => {
        event.preventDefault();
        // React passes events through dialogs to the form that they are in.
        event.stopPropagation();
        void create();
      }}
    >
      <ErrorSummary form={form} />
      <Field label={forms.connectionName}>
        {(attributes) => <input {...attributes} value={name} onChange={({ target }) => setName(target.value)} />}
      </Field>
      <Form {...form.props} appId={appId} />
      <div className="form-actions">
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {general.create}
        </Button>
      </div>
    </form>
  );
}

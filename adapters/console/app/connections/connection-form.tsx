/** Creates a connection, or changes its name and credentials. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Connection } from "../../../../src/connections/connection.ts";
import type { JsonObject } from "../../../../src/json.ts";
import { FormDialog } from "../elements/dialogs/form-dialog.tsx";
import { fieldError } from "../elements/dialogs/use-action.ts";
import { Field } from "../elements/fields/field.tsx";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";
import { CredentialFields } from "./credential-fields.tsx";

interface ConnectionFormProps {
  readonly appId: string;
  /** Null for a new one. */
  readonly connection: Connection | null;
  /** Called with the stored connection. */
  readonly onSaved: (connection: Connection) => void;
  readonly onClose: () => void;
  /** Services that may be chosen. @default all that take a connection */
  readonly services?: readonly string[];
}

export function ConnectionForm({ appId, connection, onSaved, onClose, services: allowed }: ConnectionFormProps) {
  const { connections: texts, general } = useTexts();
  const [name, setName] = useState(connection?.name ?? "");
  const [service, setService] = useState(connection?.service ?? "");
  const [isReplacing, setReplacing] = useState(connection === null);
  const [credentials, setCredentials] = useState<JsonObject>({});
  const services = useQuery({
    queryKey: [appId, "services"],
    queryFn: () => client.services.list(),
    staleTime: 60_000,
  });
  const usable = (services.data ?? []).filter(
    (one) => (one.needs_connection || one.connection !== null) && (allowed?.includes(one.name) ?? true),
  );
  const chosen = usable.find((one) => one.name === service);
  const save = async () => {
    if (connection === null) return onSaved(await client.connections.create(appId, { name, service, credentials }));
    const changes = isReplacing ? { name, credentials } : { name };
    onSaved(
      await client.connections.update(appId, connection.id, { ...changes, expected_revision: connection.revision }),
    );
  };
  return (
    <FormDialog
      title={connection === null ? texts.create : connection.name}
      action={general.save}
      onSubmit={save}
      onClose={onClose}
      pointers={["/name", "/service", "/credentials"]}
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
          {connection === null ? (
            <Field label={texts.service} error={fieldError(error, "/service")}>
              {(attributes) => (
                <select {...attributes} required value={service} onChange={({ target }) => setService(target.value)}>
                  <option value="" />
                  {usable.map((one) => (
                    <option key={one.name} value={one.name}>
                      {one.title ?? one.name}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          ) : (
            <label>
              <input type="checkbox" checked={isReplacing} onChange={({ target }) => setReplacing(target.checked)} />{" "}
              {texts.replace}
            </label>
          )}
          {services.isSuccess && usable.length === 0 ? <p>{texts.noServices}</p> : null}
          {isReplacing && chosen !== undefined ? (
            <CredentialFields
              key={service}
              appId={appId}
              schema={chosen.connection}
              hint={connection === null ? texts.credentialsHint : texts.replaceHint}
              value={credentials}
              onChange={setCredentials}
              error={error}
            />
          ) : null}
        </>
      )}
    </FormDialog>
  );
}

/** Renames a connection, or replaces its credentials. */
import { useState } from "react";
import type { Connection } from "../../../../src/connections/connection.ts";
import { schemaModel } from "../../../../src/forms/model/schema-model.ts";
import { type JsonObject, omitUndefined } from "../../../../src/json.ts";
import { useTriggerTypes } from "../collections/triggers/use-trigger-types.ts";
import { FormDialog } from "../elements/dialogs/form-dialog.tsx";
import { NameField } from "../elements/fields/name-field.tsx";
import { Loading } from "../elements/loading.tsx";
import { FormPart } from "../forms/parts/form-part.tsx";
import { useFormPart } from "../forms/parts/use-form-part.ts";
import { useMergedSave } from "../merging/use-merged-save.tsx";
import { client } from "../server/client.ts";
import { useServicesQuery } from "../steps/server-data.ts";
import { useTexts } from "../texts/language.ts";

interface EditConnectionProps {
  readonly appId: string;
  readonly connection: Connection;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

interface ConnectionFields {
  readonly name: string;
  /** Null for those that it has, which no server shows. */
  readonly credentials: JsonObject | null;
}

export function EditConnection({ appId, connection, onSaved, onClose }: EditConnectionProps) {
  const { connections: texts, general } = useTexts();
  const services = useServicesQuery(appId);
  // Trigger types have connections, too.
  const types = useTriggerTypes(appId);
  const known = [...(services.data ?? []), ...(types.data ?? [])];
  const schema = known.find((one) => one.name === connection.service && one.connection !== null)?.connection ?? null;
  const [name, setName] = useState(connection.name);
  const [isReplacing, setReplacing] = useState(false);
  const part = useFormPart(null);

  const merging = useMergedSave<Connection, ConnectionFields>({
    first: connection,
    fieldsOf: (stored) => ({ name: stored.name, credentials: null }),
    revisionOf: ({ revision }) => revision,
    names: { name: { label: general.name } },
    read: () => client.connections.get(appId, connection.id),
    write: (next, base) =>
      client.connections.update(appId, connection.id, {
        ...omitUndefined({ credentials: next.credentials ?? undefined }),
        name: next.name,
        expected_revision: (base ?? connection).revision,
      }),
    current: () => ({ name, credentials: null }),
    show: (next) => setName(next.name),
  });

  async function save(): Promise<boolean> {
    const credentials = isReplacing ? part.read() : null;
    if (isReplacing && credentials === null) return false;
    try {
      if ((await merging.save({ name, credentials })) === null) return false;
    } catch (error) {
      part.refuse(error, "/credentials");
      throw error;
    }
    onSaved();
    return true;
  }

  return (
    <FormDialog
      title={connection.name}
      action={general.save}
      pointers={["/name", "/credentials"]}
      onSubmit={save}
      onClose={onClose}
    >
      {(error) => (
        <>
          {merging.note}
          <NameField value={name} onChange={setName} error={error} />
          <label>
            <input type="checkbox" checked={isReplacing} onChange={({ target }) => setReplacing(target.checked)} />{" "}
            {texts.replace}
          </label>
          {!isReplacing ? null : services.isPending || types.isPending ? (
            <Loading />
          ) : (
            <FormPart
              part={part}
              makeModel={() => schemaModel(schema)}
              appId={appId}
              label={texts.credentials}
              hint={texts.replaceHint}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}

/** Renames a connection, or replaces its credentials. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Connection } from "../../../../src/connections/connection.ts";
import { schemaModel } from "../../../../src/forms/model/schema-model.ts";
import { isRecord, type JsonObject } from "../../../../src/json.ts";
import { Button } from "../elements/controls/button.tsx";
import { Dialog } from "../elements/dialogs/dialog.tsx";
import { Field } from "../elements/fields/field.tsx";
import { Loading } from "../elements/loading.tsx";
import { ErrorSummary } from "../forms/error-summary.tsx";
import { Form } from "../forms/form.tsx";
import { useFormState } from "../forms/use-form-state.ts";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";

interface EditConnectionProps {
  readonly appId: string;
  readonly connection: Connection;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

export function EditConnection(props: EditConnectionProps) {
  const { appId, connection, onClose } = props;
  const services = useQuery({ queryKey: [appId, "services"], queryFn: () => client.services.list() });
  // Trigger types have connections, too.
  const types = useQuery({
    queryKey: [appId, "trigger-types"],
    queryFn: () => client.triggerTypes.list(),
    retry: false,
  });
  const known = [...(services.data ?? []), ...(types.data ?? [])];
  const schema = known.find((one) => one.name === connection.service && one.connection !== null)?.connection ?? null;
  return (
    <Dialog title={connection.name} onClose={onClose}>
      {services.isPending || types.isPending ? <Loading /> : <ConnectionForm {...props} schema={schema} />}
    </Dialog>
  );
}

interface ConnectionFormProps extends EditConnectionProps {
  /** JSON Schema of the credentials; null if it is unknown. */
  readonly schema: JsonObject | null;
}

function ConnectionForm({ appId, connection, schema, onSaved, onClose }: ConnectionFormProps) {
  const { connections: texts, general } = useTexts();
  const [name, setName] = useState(connection.name);
  const [isReplacing, setReplacing] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const form = useFormState(() => schemaModel(schema));

  async function save(): Promise<void> {
    const given = isReplacing ? form.read() : {};
    if (given === null) return;
    const credentials: JsonObject = isRecord(given) ? given : {};
    const changes = isReplacing ? { name, credentials } : { name };
    setBusy(true);
    try {
      await client.connections.update(appId, connection.id, { ...changes, expected_revision: connection.revision });
      onSaved();
      onClose();
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
        void save();
      }}
    >
      <ErrorSummary form={form} />
      <Field label={general.name}>
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
      <label>
        <input type="checkbox" checked={isReplacing} onChange={({ target }) => setReplacing(target.checked)} />{" "}
        {texts.replace}
      </label>
      {isReplacing ? (
        <>
          <p className="soft">{texts.replaceHint}</p>
          <Form {...form.props} appId={appId} />
        </>
      ) : null}
      <div className="form-actions">
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {general.save}
        </Button>
      </div>
    </form>
  );
}

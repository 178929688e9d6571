/** Creates or changes a trigger. */
import { useState } from "react";
import type { Collection } from "../../../../../src/collections/collection.ts";
import type { Trigger, TriggerConfig } from "../../../../../src/collections/triggers/trigger.ts";
import { isRecord, type JsonObject, omitUndefined } from "../../../../../src/json.ts";
import { FormDialog } from "../../elements/dialogs/form-dialog.tsx";
import { fieldError } from "../../elements/dialogs/use-action.ts";
import { Field } from "../../elements/fields/field.tsx";
import { NameField } from "../../elements/fields/name-field.tsx";
import { Loading } from "../../elements/loading.tsx";
import { ProblemNote } from "../../elements/problem-note.tsx";
import { FormPart } from "../../forms/parts/form-part.tsx";
import { useFormPart } from "../../forms/parts/use-form-part.ts";
import { useMergedSave } from "../../merging/use-merged-save.tsx";
import { client } from "../../server/client.ts";
import { useTexts } from "../../texts/language.ts";
import { useKnownFields } from "../known-fields.ts";
import { keptSettings, sourceHint, triggerModel } from "./trigger-model.ts";
import { useTriggerTypes } from "./use-trigger-types.ts";

interface TriggerFormProps {
  readonly appId: string;
  readonly collection: Collection;
  /** Null for a new one. */
  readonly trigger: Trigger | null;
  /** @param created The trigger, if it is new. */
  readonly onSaved: (created: Trigger | null) => void;
  readonly onClose: () => void;
}

const FIRST_TYPE = "webhook";

interface TriggerFields {
  readonly name: string;
  readonly settings: TriggerSettings;
}

/** With its settings, and its connection, which mean something else for another type. */
interface TriggerSettings extends JsonObject {
  readonly type: string;
}

const typeOf = (settings: unknown) => (isRecord(settings) ? settings["type"] : undefined);

const fieldsOf = (trigger: Trigger): TriggerFields => ({
  name: trigger.name,
  settings: { ...valuesOf(trigger), type: trigger.type },
});

export function TriggerForm({ appId, collection, trigger, onSaved, onClose }: TriggerFormProps) {
  const { collections: texts, general } = useTexts();
  const [name, setName] = useState(trigger?.name ?? "");
  const [type, setType] = useState(trigger?.type ?? FIRST_TYPE);
  const part = useFormPart(trigger === null ? null : valuesOf(trigger));
  const types = useTriggerTypes(appId);
  const records = useKnownFields(appId, collection);
  const kinds = trigger?.config.mappings?.map((mapping) => mapping.type) ?? [];
  const known = types.data ?? [];
  const chosen = known.find((one) => one.name === type) ?? null;
  const choose = (next: string) => {
    const other = known.find((one) => one.name === next) ?? null;
    part.values.current = keptSettings(other, part.values.current);
    setType(next);
  };
  function write(next: TriggerFields, base: Trigger | null): Promise<Trigger> {
    const { type: stored, config, connection_id } = next.settings;
    const given: JsonObject = isRecord(config) ? config : {};
    const changes = {
      name: next.name,
      type: stored,
      config: { ...given, type: stored } as TriggerConfig, // the server checks it
    };
    const takesNone = known.find((one) => one.name === stored)?.connection === null;
    const connection = typeof connection_id === "string" && !takesNone ? connection_id : undefined;
    return base === null
      ? client.triggers.create(appId, collection.id, { ...changes, ...omitUndefined({ connection_id: connection }) })
      : client.triggers.update(appId, collection.id, base.id, { ...changes, connection_id: connection ?? null });
  }
  const merging = useMergedSave<Trigger, TriggerFields>({
    first: trigger,
    fieldsOf,
    revisionOf: () => null,
    isWhole: (field, sides) => field === "settings" && new Set(sides.map(typeOf)).size > 1,
    names: {
      name: { label: general.name },
      settings: { label: texts.trigger },
    },
    read: ({ id }) => client.triggers.get(appId, collection.id, id),
    write,
    current: () => ({ name, type, settings: { ...part.peek(), type } }),
    show(next, before) {
      setName(next.name);
      const { type: other, ...values } = next.settings;
      const { type: _, ...shown } = before.settings;
      // The form of another type begins with its values.
      if (other === type) part.change(shown, values);
      else part.values.current = values;
      setType(other);
    },
  });
  const save = async () => {
    const values = part.read();
    if (values === null) return false;
    try {
      const saved = await merging.save({ name, settings: { ...values, type } });
      if (saved === null) return false;
      onSaved(trigger === null ? saved.stored : null);
      return true;
    } catch (error) {
      part.refuse(error, "");
      throw error;
    }
  };
  return (
    <FormDialog
      title={trigger === null ? texts.newTrigger : trigger.name}
      action={trigger === null ? general.create : general.save}
      onSubmit={save}
      onClose={onClose}
      pointers={["/name", "/type", "/config", "/connection_id"]}
    >
      {(error) => (
        <>
          {merging.note}
          <NameField value={name} onChange={setName} error={error} />
          <Field label={texts.type} error={fieldError(error, "/type")}>
            {(attributes) => (
              <select {...attributes} value={type} onChange={({ target }) => choose(target.value)}>
                {chosen === null ? <option value={type}>{type}</option> : null}
                {known.map((one) => (
                  <option key={one.name} value={one.name}>
                    {one.title ?? one.name}
                  </option>
                ))}
              </select>
            )}
          </Field>
          {types.error === null ? null : <ProblemNote error={types.error} onRetry={() => void types.refetch()} />}
          {types.isPending || records.isPending ? (
            <Loading />
          ) : (
            <FormPart
              key={type}
              part={part}
              makeModel={() => triggerModel(chosen, texts, { fields: records.fields, kinds })}
              appId={appId}
              label={texts.trigger}
              hint={sourceHint(chosen, texts)}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}

function valuesOf(trigger: Trigger): JsonObject {
  const { type: _, ...config } = trigger.config;
  return { config: config as JsonObject, ...omitUndefined({ connection_id: trigger.connection_id }) }; // the server sent JSON
}

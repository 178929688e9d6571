/** The mappings of a collection, in order. */
import { useState } from "react";
import type { Mapping } from "../../../../src/collections/mapping.ts";
import { nextId } from "../../../../src/forms/model/entry.ts";
import { Button, IconButton } from "../elements/controls/button.tsx";
import { fieldError } from "../elements/dialogs/use-action.ts";
import { Field } from "../elements/fields/field.tsx";
import { FieldNames } from "../elements/fields/field-names.tsx";
import { useLeaveGuard } from "../routing/use-leave-guard.ts";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";
import { partsOf } from "./field-paths.ts";
import { useKnownFields } from "./known-fields.ts";
import { SettingsForm } from "./settings-form.tsx";
import type { SettingsProps } from "./settings-props.ts";

/** A mapping while it is edited. */
interface Row {
  readonly id: number;
  readonly source: string;
  readonly destinations: string;
}

const rowsOf = (mappings: readonly Mapping[]): readonly Row[] =>
  mappings.map(({ source_path, destination_paths }, id) => ({
    id,
    source: source_path,
    destinations: destination_paths.join(", "),
  }));

const mappingsOf = (rows: readonly Row[]): readonly Mapping[] =>
  rows.map(({ source, destinations }) => ({ source_path: source, destination_paths: partsOf(destinations) }));

export function Mappings({ appId, collection, onChanged }: SettingsProps) {
  const { collections: texts } = useTexts();
  const [rows, setRows] = useState(() => rowsOf(collection.config.mappings));
  useLeaveGuard(() => JSON.stringify(mappingsOf(rows)) !== JSON.stringify(collection.config.mappings));
  const { fields } = useKnownFields(appId, collection);
  async function save(): Promise<void> {
    await client.mappings.put(appId, collection.id, mappingsOf(rows));
    onChanged();
  }
  const add = () => setRows([...rows, { id: nextId(rows), source: "", destinations: "" }]);
  return (
    <SettingsForm
      value={rows}
      onSave={save}
      pointers={rows.map((_, index) => `/${index}`)}
      buttons={
        <Button icon="plus" onClick={add}>
          {texts.newMapping}
        </Button>
      }
    >
      {(error) => (
        <>
          <p className="soft">{rows.length === 0 ? texts.noMappings : texts.mappingsHint}</p>
          {rows.map((row, index) => (
            <MappingRow
              key={row.id}
              row={row}
              index={index}
              fields={fields}
              error={error}
              onChange={(changed) => setRows(rows.map((one) => (one.id === row.id ? changed : one)))}
              onRemove={() => setRows(rows.filter(({ id }) => id !== row.id))}
            />
          ))}
        </>
      )}
    </SettingsForm>
  );
}

interface MappingRowProps {
  readonly row: Row;
  readonly index: number;
  /** Names of known fields. */
  readonly fields: readonly string[];
  readonly error: unknown;
  readonly onChange: (row: Row) => void;
  readonly onRemove: () => void;
}

/** Only the first row has hints. */
function MappingRow({ row, index, fields, error, onChange, onRemove }: MappingRowProps) {
  const { collections: texts, general } = useTexts();
  const { source, destinations } = row;
  return (
    <div className="mapping">
      <FieldsInput
        label={texts.source}
        hint={index === 0 ? texts.sourceHint : undefined}
        error={fieldError(error, `/${index}/source_path`)}
        value={source}
        names={fields}
        onChange={(text) => onChange({ ...row, source: text })}
      />
      <FieldsInput
        label={texts.destinations}
        hint={index === 0 ? texts.destinationsHint : undefined}
        error={fieldError(error, `/${index}/destination_paths`)}
        value={destinations}
        names={fields.map((name) => lastReplaced(destinations, name))}
        onChange={(text) => onChange({ ...row, destinations: text })}
      />
      <IconButton icon="trash" label={`${general.remove}: ${source}`} onClick={onRemove} />
    </div>
  );
}

interface FieldsInputProps {
  readonly label: string;
  readonly hint: string | undefined;
  readonly error: string | null;
  readonly value: string;
  /** Offered to choose from. */
  readonly names: readonly string[];
  readonly onChange: (text: string) => void;
}

function FieldsInput({ label, hint, error, value, names, onChange }: FieldsInputProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <>
          <input
            {...attributes}
            required
            spellCheck={false}
            list={`${attributes.id}-list`}
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
          <FieldNames id={`${attributes.id}-list`} names={names} />
        </>
      )}
    </Field>
  );
}

/** The list with another last part: a browser offers whole values of a field. */
const lastReplaced = (list: string, name: string) => {
  const kept = partsOf(list.slice(0, list.lastIndexOf(",") + 1));
  return [...kept, name].join(", ");
};

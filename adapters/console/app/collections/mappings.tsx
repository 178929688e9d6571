/** The mappings of a collection, in order. */
import { useEffect, useRef, useState } from "react";
import type { Collection } from "../../../../src/collections/collection.ts";
import type { Mapping } from "../../../../src/collections/mapping.ts";
import { nextId } from "../../../../src/forms/model/entry.ts";
import { Button, IconButton } from "../elements/controls/button.tsx";
import { fieldError } from "../elements/dialogs/use-action.ts";
import { Field } from "../elements/fields/field.tsx";
import { FieldNames } from "../elements/fields/field-names.tsx";
import { isSameJson } from "../merging/same-json.ts";
import { useMergedSave } from "../merging/use-merged-save.tsx";
import { useLeaveGuard } from "../routing/use-leave-guard.ts";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";
import { partsOf } from "./field-paths.ts";
import { useKnownFields } from "./known-fields.ts";
import { type SavedSettings, SettingsForm } from "./settings-form.tsx";
import type { SettingsProps } from "./settings-props.ts";

/** Where the mappings are in what is sent. */
const POINTER = "/config/mappings";

/** A mapping while it is edited. */
interface Row {
  readonly id: number;
  readonly source: string;
  readonly destinations: string;
}

/** @param before Rows that stay the same keep their numbers, so that the focus stays in its mapping. */
function rowsOf(mappings: readonly Mapping[], before: readonly Row[]): readonly Row[] {
  const left = [...before];
  const first = nextId(before);
  return mappings.map((mapping, index) => {
    const at = left.findIndex((row) => isSameJson(mappingOf(row), mapping));
    const [same] = at === -1 ? [] : left.splice(at, 1);
    const { source_path, destination_paths } = mapping;
    return same ?? { id: first + index, source: source_path, destinations: destination_paths.join(", ") };
  });
}

const mappingOf = ({ source, destinations }: Row): Mapping => ({
  source_path: source,
  destination_paths: partsOf(destinations),
});

/** What the form says of them, to compare with. */
const textOf = (mappings: readonly Mapping[]): string =>
  JSON.stringify(mappings.map(({ source_path, destination_paths }) => [source_path, destination_paths]));

interface MappingFields {
  readonly mappings: readonly Mapping[];
}

const fieldsOf = ({ config }: Collection): MappingFields => ({ mappings: config.mappings });

export function Mappings({ appId, collection, onChanged }: SettingsProps) {
  const { collections: texts } = useTexts();
  const [rows, setRows] = useState(() => rowsOf(collection.config.mappings, []));
  const mappings = rows.map(mappingOf);
  const { fields } = useKnownFields(appId, collection);
  const merging = useMergedSave<Collection, MappingFields>({
    first: collection,
    latest: collection,
    fieldsOf,
    revisionOf: ({ revision }) => revision,
    names: { mappings: { label: texts.sections.mappings } },
    read: ({ id }) => client.collections.get(appId, id),
    write: (next, base) =>
      client.collections.update(appId, collection.id, {
        config: { mappings: [...next.mappings] },
        expected_revision: (base ?? collection).revision,
      }),
    current: () => ({ mappings }),
    show: (next) => setRows(rowsOf(next.mappings, rows)),
  });
  useLeaveGuard(merging.isChanged);
  async function save(): Promise<SavedSettings<string> | null> {
    const saved = await merging.save({ mappings });
    if (saved === null) return null;
    onChanged();
    return { value: textOf(saved.stored.config.mappings), elsewhere: saved.elsewhere };
  }
  // A new row is filled in next.
  const list = useRef<HTMLDivElement>(null);
  const isAdding = useRef(false);
  useEffect(() => {
    if (isAdding.current) list.current?.lastElementChild?.querySelector("input")?.focus();
    isAdding.current = false;
  }, [rows.length]);
  const add = () => {
    isAdding.current = true;
    setRows([...rows, { id: nextId(rows), source: "", destinations: "" }]);
  };
  return (
    <SettingsForm
      collection={collection}
      value={textOf(mappings)}
      onSave={save}
      pointers={[POINTER]}
      buttons={
        <Button icon="plus" onClick={add}>
          {texts.newMapping}
        </Button>
      }
    >
      {(error) => (
        <>
          {merging.note}
          <p className="soft">{rows.length === 0 ? texts.noMappings : texts.mappingsHint}</p>
          {rows.length === 0 ? null : (
            <div ref={list} className="section">
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
            </div>
          )}
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
        error={fieldError(error, `${POINTER}/${index}/source_path`)}
        value={source}
        names={fields}
        onChange={(text) => onChange({ ...row, source: text })}
      />
      <FieldsInput
        label={texts.destinations}
        hint={index === 0 ? texts.destinationsHint : undefined}
        error={fieldError(error, `${POINTER}/${index}/destination_paths`)}
        value={destinations}
        names={fields.map((name) => lastReplaced(destinations, name))}
        onChange={(text) => onChange({ ...row, destinations: text })}
      />
      <IconButton
        icon="trash"
        label={`${general.remove}: ${source.trim() === "" ? texts.mappingOf(index + 1) : source}`}
        onClick={onRemove}
      />
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

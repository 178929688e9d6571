/** The mappings of a collection, in order. */
import { type FormEvent, useRef, useState } from "react";
import type { Mapping } from "../../../../src/collections/mapping.ts";
import { Button, IconButton } from "../elements/controls/button.tsx";
import { fieldError, isShownAtFields, useAction } from "../elements/dialogs/use-action.ts";
import { Field } from "../elements/fields/field.tsx";
import { ProblemNote } from "../elements/problem-note.tsx";
import { useFocusOnRefusal } from "../elements/refusal-focus.ts";
import { useLeaveGuard } from "../routing/use-leave-guard.ts";
import { client } from "../server/client.ts";
import { useMay } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";
import { FieldNames } from "./field-names.tsx";
import { partsOf } from "./field-paths.ts";
import { useKnownFields } from "./known-fields.ts";
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
  const { collections: texts, general } = useTexts();
  const [rows, keepRows] = useState(() => rowsOf(collection.config.mappings));
  useLeaveGuard(() => JSON.stringify(mappingsOf(rows)) !== JSON.stringify(collection.config.mappings));
  const { fields } = useKnownFields(appId, collection);
  const { isBusy, error, run } = useAction();
  const [isSaved, setSaved] = useState(false);
  const place = useFocusOnRefusal<HTMLFormElement>(error);
  const refusal = useMay("collections:write") ? undefined : general.needsScope("collections:write");
  const setRows = (next: readonly Row[]) => {
    setSaved(false);
    keepRows(next);
  };
  const change = (id: number, changes: Partial<Row>) =>
    setRows(rows.map((row) => (row.id === id ? { ...row, ...changes } : row)));
  const pointers = rows.map((_, index) => `/${index}`);

  const shown = useRef(rows);
  shown.current = rows;
  function submit(event: FormEvent): void {
    event.preventDefault();
    void run(async () => {
      await client.mappings.put(appId, collection.id, mappingsOf(rows));
      setSaved(shown.current === rows);
      onChanged();
    });
  }

  return (
    <form ref={place} className="section" onSubmit={submit}>
      <p className="soft">{rows.length === 0 ? texts.noMappings : texts.mappingsHint}</p>
      {error === null || isShownAtFields(error, pointers) ? null : <ProblemNote error={error} />}
      {rows.map((row, index) => (
        <div key={row.id} className="mapping">
          <Field
            label={texts.source}
            hint={index === 0 ? texts.sourceHint : undefined}
            error={fieldError(error, `/${index}/source_path`)}
          >
            {(attributes) => (
              <>
                <input
                  {...attributes}
                  required
                  spellCheck={false}
                  list={`${attributes.id}-list`}
                  value={row.source}
                  onChange={({ target }) => change(row.id, { source: target.value })}
                />
                <FieldNames id={`${attributes.id}-list`} names={fields} />
              </>
            )}
          </Field>
          <Field
            label={texts.destinations}
            hint={index === 0 ? texts.destinationsHint : undefined}
            error={fieldError(error, `/${index}/destination_paths`)}
          >
            {(attributes) => (
              <>
                <input
                  {...attributes}
                  required
                  spellCheck={false}
                  list={`${attributes.id}-list`}
                  value={row.destinations}
                  onChange={({ target }) => change(row.id, { destinations: target.value })}
                />
                <FieldNames
                  id={`${attributes.id}-list`}
                  names={fields.map((name) => lastReplaced(row.destinations, name))}
                />
              </>
            )}
          </Field>
          <IconButton
            icon="trash"
            label={`${general.remove}: ${row.source}`}
            onClick={() => setRows(rows.filter(({ id }) => id !== row.id))}
          />
        </div>
      ))}
      <p className="buttons">
        <Button
          icon="plus"
          onClick={() =>
            setRows([...rows, { id: Math.max(0, ...rows.map(({ id }) => id + 1)), source: "", destinations: "" }])
          }
        >
          {texts.newMapping}
        </Button>
        <Button type="submit" kind="primary" isBusy={isBusy} disabled={refusal !== undefined} title={refusal}>
          {general.save}
        </Button>
        <span role="status">{isSaved ? general.saved : ""}</span>
      </p>
    </form>
  );
}

/** The list with another last part: a browser offers whole values of a field. */
const lastReplaced = (list: string, name: string) => {
  const kept = partsOf(list.slice(0, list.lastIndexOf(",") + 1));
  return [...kept, name].join(", ");
};

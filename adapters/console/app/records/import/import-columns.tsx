/** The columns of a file whose header names no fields, and the field that each fills. */

import { Field } from "../../elements/fields/field.tsx";
import { FieldNames } from "../../elements/fields/field-names.tsx";
import { useTexts } from "../../texts/language.ts";
import type { CsvColumn } from "./csv-columns.ts";
import "./import-columns.css";

interface ImportColumnsProps {
  readonly columns: readonly CsvColumn[];
  /** The field of each column. */
  readonly fields: readonly string[];
  /** What is wrong with a field, by the index of its column. */
  readonly problems: ReadonlyMap<number, string>;
  /** The entity of new fields. */
  readonly entity: string;
  /** Fields of the collection. */
  readonly known: readonly string[];
  readonly onEntity: (entity: string) => void;
  readonly onField: (index: number, field: string) => void;
}

const MAX_SAMPLE_CHARS = 60;
const cut = (text: string) => (text.length > MAX_SAMPLE_CHARS ? `${text.slice(0, MAX_SAMPLE_CHARS)}…` : text);

export function ImportColumns({ columns, fields, problems, entity, known, onEntity, onField }: ImportColumnsProps) {
  const { records: texts } = useTexts();
  return (
    <fieldset className="import-columns">
      <legend>{texts.importColumns}</legend>
      <p>{texts.importColumnsHint}</p>
      <Field label={texts.importEntity} hint={texts.importEntityHint}>
        {(attributes) => (
          <input {...attributes} required value={entity} onChange={({ target }) => onEntity(target.value)} />
        )}
      </Field>
      {columns.map(({ name, sample }, index) => (
        <div key={index} className="column">
          <Field
            label={<bdi>{name === "" ? texts.importColumn(index + 1) : cut(name)}</bdi>}
            hint={sample === "" ? null : <bdi>{texts.importSample(cut(sample))}</bdi>}
            error={problems.get(index) ?? null}
          >
            {(attributes) => (
              <>
                <input
                  {...attributes}
                  spellCheck={false}
                  list={`${attributes.id}-list`}
                  value={fields[index] ?? ""}
                  onChange={({ target }) => onField(index, target.value)}
                />
                <FieldNames id={`${attributes.id}-list`} names={known} />
              </>
            )}
          </Field>
        </div>
      ))}
    </fieldset>
  );
}

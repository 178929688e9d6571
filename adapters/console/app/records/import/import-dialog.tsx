/** Imports records from a file. */

import { useRef, useState } from "react";
import type { Collection } from "../../../../../src/collections/collection.ts";
import type { CollectionRecord } from "../../../../../src/collections/records/record.ts";
import { omitUndefined } from "../../../../../src/json.ts";
import { announce } from "../../elements/announced.tsx";
import { FormDialog } from "../../elements/dialogs/form-dialog.tsx";
import { fieldError } from "../../elements/dialogs/use-action.ts";
import { Field } from "../../elements/fields/field.tsx";
import { FieldNames } from "../../elements/fields/field-names.tsx";
import { client } from "../../server/client.ts";
import { useTexts } from "../../texts/language.ts";
import { fieldsOf } from "../record-fields.ts";
import { namedFields } from "../record-model.ts";
import { namesFields, problemsOf, suggestedFields, usualEntity } from "./column-fields.ts";
import { countRows } from "./count-rows.ts";
import { type CsvColumn, isOtherText, readCsvColumns } from "./csv-columns.ts";
import { exampleCsv } from "./example-csv.ts";
import { ImportColumns } from "./import-columns.tsx";

const formatOf = ({ name }: File) => (/\.(jsonl|ndjson|json)$/i.test(name) ? "jsonl" : "csv");

interface ImportDialogProps {
  readonly appId: string;
  readonly collection: Collection;
  /** Some of its records. */
  readonly records: readonly CollectionRecord[];
  /** Called with the id of the job, and the number of rows; null if only the server can count them. */
  readonly onStarted: (jobId: string, rows: number | null) => void;
  readonly onClose: () => void;
}

export function ImportDialog({ appId, collection, records, onStarted, onClose }: ImportDialogProps) {
  const { records: texts } = useTexts();
  const [known] = useState(() => [...new Set([...fieldsOf(records), ...namedFields(collection)])]);
  const [file, setFile] = useState<File | null>(null);
  const columns = useColumns(known);
  const [key, setKey] = useState("");
  const latest = useRef<File | null>(null);
  const [isWrong, setWrong] = useState(false);
  const choose = async (chosen: File | null) => {
    latest.current = chosen;
    const isOther = chosen !== null && (await isOtherText(chosen, formatOf(chosen)));
    const isCsv = chosen !== null && !isOther && formatOf(chosen) === "csv";
    const read = isCsv ? await readCsvColumns(chosen) : null;
    if (latest.current !== chosen) return;
    setFile(chosen);
    setWrong(isOther);
    const needsFields = columns.set(read);
    if (needsFields) announce(`${texts.importColumns}: ${texts.importColumnsHint}`);
  };
  const start = async () => {
    if (file === null || isWrong || columns.problems.size > 0) return false;
    const format = formatOf(file);
    const bytes = new Uint8Array(await file.arrayBuffer());
    const options = { key: key === "" ? undefined : key, columns: columns.fields ?? undefined };
    const job = await client.records.import(appId, collection.id, bytes, { format, ...omitUndefined(options) });
    onStarted(job.id, countRows(bytes, format));
    return true;
  };
  return (
    <FormDialog title={texts.jobs.import} action={texts.import} onSubmit={start} onClose={onClose} pointers={["/key"]}>
      {(error) => (
        <>
          <div className="import-example">
            <p>{texts.importExample}</p>
            <pre dir="ltr">
              <code>{exampleCsv(known, records)}</code>
            </pre>
          </div>
          <Field label={texts.importFile} hint={texts.importHint} error={isWrong ? texts.importOther : null}>
            {(attributes) => (
              <input
                {...attributes}
                type="file"
                required
                accept=".csv,.tsv,.txt,.jsonl,.ndjson"
                onChange={({ target }) => void choose(target.files?.[0] ?? null)}
              />
            )}
          </Field>
          {columns.fields === null ? null : <ImportColumns {...columns} fields={columns.fields} known={known} />}
          <Field label={texts.importKey} hint={texts.importKeyHint} isOptional error={fieldError(error, "/key")}>
            {(attributes) => (
              <>
                <input
                  {...attributes}
                  spellCheck={false}
                  list={`${attributes.id}-list`}
                  value={key}
                  onChange={({ target }) => setKey(target.value)}
                />
                <FieldNames id={`${attributes.id}-list`} names={columns.fields ?? known} />
              </>
            )}
          </Field>
        </>
      )}
    </FormDialog>
  );
}

/** The columns of the chosen file and their fields, which are null if the header names fields. */
function useColumns(known: readonly string[]) {
  const [columns, setColumns] = useState<readonly CsvColumn[]>([]);
  const [entity, setEntity] = useState(() => usualEntity(known));
  const [chosen, setChosen] = useState<ReadonlyMap<number, string>>(new Map());
  const suggested = columns.length === 0 ? null : suggestedFields(columns, entity, known);
  const fields = suggested?.map((field, index) => chosen.get(index) ?? field) ?? null;
  return {
    columns,
    fields,
    problems: fields === null ? NO_PROBLEMS : problemsOf(fields),
    entity,
    onEntity: setEntity,
    onField: (index: number, field: string) => setChosen(new Map(chosen).set(index, field)),
    /** Returns whether a person has to look at the fields. */
    set(read: readonly CsvColumn[] | null): boolean {
      const needsFields = read !== null && !namesFields(read);
      setColumns(needsFields ? read : []);
      setChosen(new Map());
      return needsFields;
    },
  };
}

const NO_PROBLEMS: ReadonlyMap<number, string> = new Map();

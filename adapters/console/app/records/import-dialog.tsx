/** Imports records from a file. */

import { useState } from "react";
import { omitUndefined } from "../../../../src/json.ts";
import { FormDialog } from "../elements/dialogs/form-dialog.tsx";
import { fieldError } from "../elements/dialogs/use-action.ts";
import { Field } from "../elements/fields/field.tsx";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";
import { headerProblem } from "./csv-header.ts";

const formatOf = ({ name }: File) => (/\.(jsonl|ndjson)$/i.test(name) ? "jsonl" : "csv");

interface ImportDialogProps {
  readonly appId: string;
  readonly collectionId: string;
  /** CSV with the fields of the collection. */
  readonly example: string;
  /** Called with the id of the job. */
  readonly onStarted: (jobId: string) => void;
  readonly onClose: () => void;
}

export function ImportDialog({ appId, collectionId, example, onStarted, onClose }: ImportDialogProps) {
  const { records: texts } = useTexts();
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [key, setKey] = useState("");
  const choose = async (chosen: File | null) => {
    setFile(chosen);
    setProblem(null);
    setProblem(chosen === null || formatOf(chosen) === "jsonl" ? null : await headerProblem(chosen));
  };
  const start = async () => {
    if (file === null || problem !== null) return false;
    const format = formatOf(file);
    const bytes = new Uint8Array(await file.arrayBuffer());
    const options = { format, ...omitUndefined({ key: key === "" ? undefined : key }) } as const;
    onStarted((await client.records.import(appId, collectionId, bytes, options)).id);
    return true;
  };
  return (
    <FormDialog title={texts.import} action={texts.import} onSubmit={start} onClose={onClose} pointers={["/key"]}>
      {(error) => (
        <>
          <div className="import-example">
            <p>{texts.importExample}</p>
            <pre dir="ltr">
              <code>{example}</code>
            </pre>
          </div>
          <Field label={texts.importFile} hint={texts.importHint} error={problem}>
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
          <Field label={texts.importKey} hint={texts.importKeyHint} isOptional error={fieldError(error, "/key")}>
            {(attributes) => <input {...attributes} value={key} onChange={({ target }) => setKey(target.value)} />}
          </Field>
        </>
      )}
    </FormDialog>
  );
}

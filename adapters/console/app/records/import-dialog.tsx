/** Imports records from a file. */

import { useState } from "react";
import { omitUndefined } from "../../../../src/json.ts";
import { FormDialog } from "../elements/dialogs/form-dialog.tsx";
import { fieldError } from "../elements/dialogs/use-action.ts";
import { Field } from "../elements/fields/field.tsx";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";

interface ImportDialogProps {
  readonly appId: string;
  readonly collectionId: string;
  /** Called with the id of the job. */
  readonly onStarted: (jobId: string) => void;
  readonly onClose: () => void;
}

export function ImportDialog({ appId, collectionId, onStarted, onClose }: ImportDialogProps) {
  const { records: texts } = useTexts();
  const [file, setFile] = useState<File | null>(null);
  const [key, setKey] = useState("");
  const start = async () => {
    if (file === null) return;
    const format = /\.(jsonl|ndjson)$/i.test(file.name) ? "jsonl" : "csv";
    const bytes = new Uint8Array(await file.arrayBuffer());
    const options = { format, ...omitUndefined({ key: key === "" ? undefined : key }) } as const;
    onStarted((await client.records.import(appId, collectionId, bytes, options)).id);
  };
  return (
    <FormDialog title={texts.import} action={texts.import} onSubmit={start} onClose={onClose} pointers={["/key"]}>
      {(error) => (
        <>
          <Field label={texts.importFile} hint={texts.importHint}>
            {(attributes) => (
              <input
                {...attributes}
                type="file"
                required
                accept=".csv,.tsv,.txt,.jsonl,.ndjson"
                onChange={({ target }) => setFile(target.files?.[0] ?? null)}
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

/** Changes the name, visibility and end of a file. */
import { useState } from "react";
import type { File } from "../../../../src/files/file.ts";
import { FormDialog } from "../elements/dialogs/form-dialog.tsx";
import { fieldError } from "../elements/dialogs/use-action.ts";
import { Field } from "../elements/fields/field.tsx";
import { localDateTime } from "../elements/fields/local-date-time.ts";
import { MomentNote } from "../elements/fields/moment-note.tsx";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";

interface FileFormProps {
  readonly appId: string;
  readonly file: File;
  readonly onSaved: (file: File) => void;
  readonly onClose: () => void;
}

const VISIBILITIES = ["PRIVATE", "PUBLIC"] as const;

export function FileForm({ appId, file, onSaved, onClose }: FileFormProps) {
  const { files: texts, general } = useTexts();
  const [name, setName] = useState(file.name);
  const [visibility, setVisibility] = useState(file.visibility);
  const [expires, setExpires] = useState(file.expires_at === null ? "" : localDateTime(file.expires_at));
  const save = async () => {
    const expires_at = expires === "" ? null : new Date(expires).toISOString();
    onSaved(await client.files.update(appId, file.id, { name, visibility, expires_at }));
  };
  return (
    <FormDialog
      title={general.edit}
      action={general.save}
      onSubmit={save}
      onClose={onClose}
      pointers={["/name", "/visibility", "/expires_at"]}
    >
      {(error) => (
        <>
          <Field label={general.name} error={fieldError(error, "/name")}>
            {(attributes) => (
              <input {...attributes} required value={name} onChange={({ target }) => setName(target.value)} />
            )}
          </Field>
          <Field label={texts.visibility} error={fieldError(error, "/visibility")}>
            {(attributes) => (
              <select
                {...attributes}
                value={visibility}
                onChange={({ target }) => setVisibility(VISIBILITIES.find((one) => one === target.value) ?? visibility)}
              >
                {VISIBILITIES.map((one) => (
                  <option key={one} value={one}>
                    {texts.visibilities[one]}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label={texts.expiresAt} hint={texts.expiresAtHint} isOptional error={fieldError(error, "/expires_at")}>
            {(attributes) => (
              <>
                <input
                  {...attributes}
                  type="datetime-local"
                  value={expires}
                  onChange={({ target }) => setExpires(target.value)}
                />
                <MomentNote local={expires} />
              </>
            )}
          </Field>
        </>
      )}
    </FormDialog>
  );
}

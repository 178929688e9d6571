/** Changes the name, visibility and end of a file. */
import { useState } from "react";
import type { File } from "../../../../src/files/file.ts";
import { FormDialog } from "../elements/dialogs/form-dialog.tsx";
import { fieldError } from "../elements/dialogs/use-action.ts";
import { Field } from "../elements/fields/field.tsx";
import { localDateTime } from "../elements/fields/local-date-time.ts";
import { MomentNote } from "../elements/fields/moment-note.tsx";
import { useMergedSave } from "../merging/use-merged-save.tsx";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";

interface FileFormProps {
  readonly appId: string;
  readonly file: File;
  readonly onSaved: (file: File) => void;
  readonly onClose: () => void;
}

const VISIBILITIES = ["PRIVATE", "PUBLIC"] as const;

interface FileFields extends Pick<File, "name" | "visibility"> {
  /** Local date and time; empty for none. */
  readonly expires: string;
}

const fieldsOf = ({ name, visibility, expires_at }: File): FileFields => ({
  name,
  visibility,
  expires: expires_at === null ? "" : localDateTime(expires_at),
});

export function FileForm({ appId, file, onSaved, onClose }: FileFormProps) {
  const { files: texts, general } = useTexts();
  const [fields, setFields] = useState(() => fieldsOf(file));
  const { name, visibility, expires } = fields;
  const change = (changes: Partial<FileFields>) => setFields({ ...fields, ...changes });
  const merging = useMergedSave<File, FileFields>({
    first: file,
    fieldsOf,
    revisionOf: () => null,
    names: {
      name: { label: general.name },
      visibility: { label: texts.visibility, values: texts.visibilities },
      expires: { label: texts.expiresAt },
    },
    read: () => client.files.get(appId, file.id),
    write({ expires: end, ...next }) {
      const expires_at = end === "" ? null : new Date(end).toISOString();
      return client.files.update(appId, file.id, { ...next, expires_at });
    },
    current: () => fields,
    show: setFields,
  });
  const save = async () => {
    const saved = await merging.save(fields);
    if (saved !== null) onSaved(saved.stored);
    return saved !== null;
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
          {merging.note}
          <Field label={general.name} error={fieldError(error, "/name")}>
            {(attributes) => (
              <input {...attributes} required value={name} onChange={({ target }) => change({ name: target.value })} />
            )}
          </Field>
          <Field label={texts.visibility} error={fieldError(error, "/visibility")}>
            {(attributes) => (
              <select
                {...attributes}
                value={visibility}
                onChange={({ target }) =>
                  change({ visibility: VISIBILITIES.find((one) => one === target.value) ?? visibility })
                }
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
                  onChange={({ target }) => change({ expires: target.value })}
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

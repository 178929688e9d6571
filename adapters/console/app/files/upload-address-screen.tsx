/** Creates an upload address: for one file, from somebody without an account. */

import { type FormEvent, useState } from "react";
import { omitUndefined } from "../../../../src/json.ts";
import { Button } from "../elements/controls/button.tsx";
import { fieldError, isShownAtFields, useAction } from "../elements/dialogs/use-action.ts";
import { Field } from "../elements/fields/field.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { ProblemNote } from "../elements/problem-note.tsx";
import { useFocusOnRefusal } from "../elements/refusal-focus.ts";
import { useLock } from "../elements/use-lock.ts";
import { useNavigateFromHere } from "../routing/location.ts";
import type { ScreenProps } from "../routing/screen-props.ts";
import { client } from "../server/client.ts";
import { useScopeRefusal } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";
import { keepUpload } from "./kept-uploads.ts";
import "./files-screen.css";

const MEBIBYTE = 1_048_576;
const HOUR_SECONDS = 3_600;
/** In the units of the fields. */
const MIN_MEBIBYTES = 0.001;
const MIN_HOURS = 0.01;
const MAX_HOURS = 720;

const POINTERS = ["/max_size", "/allowed_types", "/expires_in", "/file_name"];

export default function UploadAddressScreen({ params: { app = "" } }: ScreenProps) {
  const navigateFromHere = useNavigateFromHere();
  const { files: texts, general } = useTexts();
  const refusal = useScopeRefusal("files:write");
  const { isBusy, error, run } = useAction();
  const place = useFocusOnRefusal<HTMLFormElement>(error);
  useLock(place, () => isBusy);
  const [size, setSize] = useState("");
  const [types, setTypes] = useState("");
  const [hours, setHours] = useState("24");
  const [name, setName] = useState("");

  function submit(event: FormEvent): void {
    event.preventDefault();
    void run(async () => {
      const allowed = types.split(",").flatMap((type) => (type.trim() === "" ? [] : [type.trim()]));
      const upload = await client.files.createUpload(app, {
        expires_in: Math.round(Number(hours) * HOUR_SECONDS),
        ...omitUndefined({
          max_size: size === "" ? undefined : Math.round(Number(size) * MEBIBYTE),
          allowed_types: allowed.length === 0 ? undefined : allowed,
          file_name: name === "" ? undefined : name,
        }),
      });
      keepUpload(app, upload);
      navigateFromHere(`/apps/${app}/uploads/${upload.future_file_id}`);
    });
  }

  return (
    <form ref={place} className="upload-address" onSubmit={submit}>
      <PageHead title={texts.newAddress} below={texts.addressText} />
      {error === null || isShownAtFields(error, POINTERS) ? null : <ProblemNote error={error} />}
      <Field label={texts.maxSize} isOptional error={fieldError(error, "/max_size")}>
        {(attributes) => (
          <input
            {...attributes}
            type="number"
            min={MIN_MEBIBYTES}
            step="any"
            value={size}
            onChange={({ target }) => setSize(target.value)}
          />
        )}
      </Field>
      <Field
        label={texts.allowedTypes}
        hint={texts.allowedTypesHint}
        isOptional
        error={fieldError(error, "/allowed_types")}
      >
        {(attributes) => <input {...attributes} value={types} onChange={({ target }) => setTypes(target.value)} />}
      </Field>
      <Field label={texts.validFor} error={fieldError(error, "/expires_in")}>
        {(attributes) => (
          <input
            {...attributes}
            type="number"
            min={MIN_HOURS}
            max={MAX_HOURS}
            step="any"
            required
            value={hours}
            onChange={({ target }) => setHours(target.value)}
          />
        )}
      </Field>
      <Field label={texts.fileName} hint={texts.fileNameHint} isOptional error={fieldError(error, "/file_name")}>
        {(attributes) => <input {...attributes} value={name} onChange={({ target }) => setName(target.value)} />}
      </Field>
      <Button type="submit" kind="primary" isBusy={isBusy} refusal={refusal}>
        {general.create}
      </Button>
    </form>
  );
}

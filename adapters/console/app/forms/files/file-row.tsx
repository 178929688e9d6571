/** A chosen file: its name, and how far its upload has come. */
import { useQuery } from "@tanstack/react-query";
import { type ChangeEvent, useEffect, useRef, useState } from "react";
import type { FileEntry } from "../../../../../src/forms/model/entry.ts";
import { Button, IconButton } from "../../elements/controls/button.tsx";
import { Icon } from "../../elements/icons.tsx";
import { messageOf } from "../../elements/problem-note.tsx";
import { client } from "../../server/client.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.ts";
import type { Change } from "../control-props.ts";
import { useForm } from "../form-context.ts";
import { continueUpload, forgetUpload, previewOf, sendFile, type UploadState, useUpload } from "./uploads.ts";

export function FileRow({ file, change }: { readonly file: FileEntry; readonly change: Change }) {
  const { forms } = useTexts();
  const format = useFormat();
  const upload = useUpload(file.id);
  const about = useStoredFile(file);
  const name = file.name ?? about.name ?? file.id;
  const size = file.size ?? about.size;
  const isStored = file.uploadUrl === null;
  useEffect(() => {
    if (upload?.status !== "stored" || isStored) return;
    change((before) => {
      if (before.kind !== "files") return before;
      const files = before.files.map((one) => (one.id === file.id ? { ...one, uploadUrl: null } : one));
      return { ...before, files };
    });
  }, [upload?.status, isStored, change, file.id]);

  const remove = () => {
    forgetUpload(file.id);
    change((before) =>
      before.kind === "files" ? { ...before, files: before.files.filter(({ id }) => id !== file.id) } : before,
    );
  };
  const preview = previewOf(file.id);
  return (
    <div className="file-row">
      {preview === null ? <Icon name="files" size={20} /> : <img src={preview} alt="" width={40} height={40} />}
      <div className="file-about">
        <span className="file-name">
          <bdi>{name}</bdi>
          {size === null ? null : <span className="notes"> {format.size(size)}</span>}
        </span>
        {about.isMissing ? <span className="field-error">{forms.unknownFile}</span> : null}
        {isStored || upload?.status === "stored" ? (
          <span className="notes" role="status">
            {upload === undefined ? null : (
              <>
                <Icon name="check" size={14} /> {forms.stored}
              </>
            )}
          </span>
        ) : upload?.status === "sending" ? (
          <span className="progress">
            <progress value={upload.sent} max={Math.max(1, upload.total)} aria-label={forms.uploadOf(name)} />
            <span className="notes">{forms.sending(format.size(upload.sent), format.size(upload.total))}</span>
          </span>
        ) : (
          <Interrupted file={file} name={name} upload={upload} />
        )}
      </div>
      <IconButton icon="close" label={forms.removeFile(name)} onClick={remove} />
    </div>
  );
}

/** What the app knows of a file of which the form has only the id, such as that of an earlier run. */
function useStoredFile({ id, name, uploadUrl }: FileEntry) {
  const { appId } = useForm();
  const found = useQuery({
    queryKey: [appId, "files", id],
    queryFn: ({ signal }) => client.with({ signal }).files.get(appId, id),
    enabled: name === null && uploadUrl === null,
    retry: false,
  });
  return { name: found.data?.name ?? null, size: found.data?.size ?? null, isMissing: found.isError };
}

/** The line broke: the upload continues with the part that the server has. */
function Interrupted({
  file,
  name,
  upload,
}: {
  readonly file: FileEntry;
  readonly name: string;
  readonly upload: UploadState | undefined;
}) {
  const { forms, general } = useTexts();
  const chooser = useRef<HTMLInputElement>(null);
  const [mustChoose, setMustChoose] = useState(false);
  const [isOther, setOther] = useState(false);
  const { uploadUrl } = file;
  const message =
    upload === undefined
      ? forms.interrupted
      : upload.status === "broken"
        ? forms.connectionLost
        : messageOf(upload.error, { ...general, offline: forms.connectionLost });
  // After a reload, only the person knows where the bytes are.
  const resume = () => {
    if (continueUpload(file.id)) return;
    setMustChoose(true);
    chooser.current?.click();
  };
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [given] = target.files ?? [];
    if (given === undefined || uploadUrl === null) return;
    const isSame = given.name === file.name && given.size === file.size;
    setOther(!isSame);
    if (isSame) sendFile({ ...file, uploadUrl }, given, true);
    target.value = "";
  };
  return (
    <span className="interrupted" role="alert">
      <span className="notes">{message}</span>
      {isOther ? <span className="field-error">{forms.otherFile(name)}</span> : null}
      <Button onClick={resume}>{mustChoose ? forms.chooseAgain : forms.continueUpload}</Button>
      <input ref={chooser} type="file" hidden tabIndex={-1} onChange={choose} />
    </span>
  );
}

/** A chosen file: its name, and how far its upload has come. */
import { useQuery } from "@tanstack/react-query";
import { type ChangeEvent, useEffect, useRef, useState } from "react";
import type { Entry, FileEntry } from "../../../../../src/forms/model/entry.ts";
import { Button, IconButton } from "../../elements/controls/button.tsx";
import { Icon } from "../../elements/icons.tsx";
import { messageOf } from "../../elements/problem-note.tsx";
import { useBlobUrl } from "../../elements/values/use-blob-url.ts";
import { visibleText } from "../../elements/values/visible-text.ts";
import { LIVE_QUERY } from "../../live/live-query.ts";
import { client, isServerError } from "../../server/client.ts";
import { useMay } from "../../session/session-context.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.ts";
import type { Change } from "../control-props.ts";
import { useForm } from "../form-context.ts";
import { continueUpload, forgetUpload, pictureOf, sendFile, type UploadState, useUpload } from "./uploads.ts";

export function FileRow({ file, change }: { readonly file: FileEntry; readonly change: Change }) {
  const { forms } = useTexts();
  const format = useFormat();
  const upload = useUpload(file.id);
  const about = useStoredFile(file, upload);
  const name = visibleText(file.name ?? about.name ?? file.id);
  const size = file.size ?? about.size;
  const isStored = file.uploadUrl === null;
  const isDeleted = file.isDeleted === true;
  useEffect(() => {
    const { isMissing } = about;
    if (isMissing !== null && isMissing !== isDeleted)
      change((before) => withPart(before, file.id, { isDeleted: isMissing }));
  }, [about.isMissing, isDeleted, change, file.id]);
  useEffect(() => {
    if (upload?.status !== "stored" || isStored) return;
    change((before) => withPart(before, file.id, { uploadUrl: null }));
  }, [upload?.status, isStored, change, file.id]);

  const remove = () => {
    forgetUpload(file.id);
    change((before) =>
      before.kind === "files" ? { ...before, files: before.files.filter(({ id }) => id !== file.id) } : before,
    );
  };
  const preview = useBlobUrl(pictureOf(file.id));
  return (
    <div className="file-row">
      {preview === null ? <Icon name="files" size={20} /> : <img src={preview} alt="" width={40} height={40} />}
      <div className="file-about">
        <span className="file-name">
          <bdi>{name}</bdi>
          {size === null ? null : <span className="notes"> {format.size(size)}</span>}
        </span>
        {isDeleted ? (
          <span className="field-error" role="status">
            {forms.deletedFile}
          </span>
        ) : isStored || upload?.status === "stored" ? (
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

function withPart(before: Entry, id: string, part: Partial<FileEntry>): Entry {
  if (before.kind !== "files") return before;
  return { ...before, files: before.files.map((one) => (one.id === id ? { ...one, ...part } : one)) };
}

/**
 * What the app knows of a stored file. Of that of an earlier run, the form has only the id, and somebody may delete any file
 * while the form is open.
 */
function useStoredFile({ id, uploadUrl }: FileEntry, upload: UploadState | undefined) {
  const { appId } = useForm();
  const mayRead = useMay("files:read");
  const found = useQuery({
    queryKey: [appId, "files", id],
    queryFn: ({ signal }) => client.with({ signal }).files.get(appId, id),
    // A run may have begun before the file that this page still sends.
    enabled: mayRead && uploadUrl === null && (upload === undefined || upload.status === "stored"),
    retry: false,
    ...LIVE_QUERY,
  });
  const isMissing = isServerError(found.error) && found.error.code === "not_found";
  const { name = null, size = null } = found.data ?? {};
  return {
    name,
    size,
    /** Null while that is not known. */
    isMissing: isMissing || found.isSuccess ? isMissing : null,
  };
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
    const { name: sameName, size: sameSize, changedAt } = file;
    const isSame = given.name === sameName && given.size === sameSize && given.lastModified === changedAt;
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

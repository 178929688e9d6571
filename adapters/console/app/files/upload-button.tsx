/** Uploads a file to the app. A lost connection costs a chunk: the upload continues when the server responds. */
import { useEffect, useRef, useState } from "react";
import { Button } from "../elements/controls/button.tsx";
import { useAction } from "../elements/dialogs/use-action.ts";
import { ProblemNote } from "../elements/problem-note.tsx";
import { useFocusOnRefusal } from "../elements/refusal-focus.ts";
import { continueUpload, forgetUpload, sendFile, useUpload } from "../forms/files/uploads.ts";
import { client } from "../server/client.ts";
import { useMay } from "../session/session-context.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";

interface UploadButtonProps {
  readonly appId: string;
  readonly onUploaded: () => void;
}

export function UploadButton({ appId, onUploaded }: UploadButtonProps) {
  const { files: texts, forms, general } = useTexts();
  const format = useFormat();
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<File | null>(null);
  const [id, setId] = useState("");
  const upload = useUpload(id);
  const { isBusy, error, run } = useAction();
  const problem = error ?? (upload?.status === "refused" ? upload.error : null);
  const note = useFocusOnRefusal<HTMLDivElement>(problem);
  const mayWrite = useMay("files:write");
  const isStored = upload?.status === "stored";
  useEffect(() => {
    if (!isStored) return;
    forgetUpload(id);
    setId("");
    setChosen(null);
    onUploaded();
  }, [isStored, id, onUploaded]);

  const start = (file: File) =>
    run(async () => {
      forgetUpload(id);
      setChosen(file);
      const { upload_url: uploadUrl, future_file_id } = await client.files.createUpload(appId, {});
      setId(future_file_id);
      sendFile({ id: future_file_id, name: file.name, size: file.size, type: file.type, uploadUrl }, file);
    });
  const again = () => {
    if (chosen !== null) void start(chosen);
  };
  const cancel = () => {
    forgetUpload(id);
    setId("");
    setChosen(null);
  };
  const isGoingOn = upload?.status === "sending" || upload?.status === "broken";
  const share = upload === undefined || upload.total === 0 ? 0 : upload.sent / upload.total;
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) void start(file);
          target.value = "";
        }}
      />
      <Button
        icon="upload"
        isBusy={isBusy || isGoingOn}
        disabled={!mayWrite}
        title={mayWrite ? undefined : general.needsScope("files:write")}
        onClick={() => input.current?.click()}
      >
        {isBusy || isGoingOn ? texts.uploading(format.percent(share)) : texts.upload}
      </Button>
      {isGoingOn ? <Button onClick={cancel}>{general.cancel}</Button> : null}
      {upload?.status === "broken" ? (
        <div className="problem-note" role="alert">
          <p>{forms.connectionLost}</p>
          <Button onClick={() => continueUpload(id)}>{general.retry}</Button>
        </div>
      ) : null}
      {problem === null || isBusy ? null : (
        <ProblemNote ref={note} error={problem} offline={general.unreachable} onRetry={again} />
      )}
    </>
  );
}

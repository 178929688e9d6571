/** Uploads files to the app. A lost connection costs a chunk: the upload continues when the server responds. */
import { useEffect, useRef } from "react";
import { announce } from "../elements/announced.tsx";
import { Callout } from "../elements/callout.tsx";
import { Button } from "../elements/controls/button.tsx";
import { messageOf, ProblemNote } from "../elements/problem-note.tsx";
import { useFocusOnRefusal } from "../elements/refusal-focus.ts";
import { visibleText } from "../elements/values/visible-text.ts";
import { continueUpload, useUpload } from "../forms/files/uploads.ts";
import { useScopeRefusal } from "../session/session-context.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";
import { addFiles, cancelFiles, type RefusedFile, retryFiles, useFileQueue } from "./file-queue.ts";

interface UploadButtonProps {
  readonly appId: string;
  readonly onUploaded: () => void;
}

export function UploadButton({ appId, onUploaded }: UploadButtonProps) {
  const { files: texts, forms, general } = useTexts();
  const format = useFormat();
  const input = useRef<HTMLInputElement>(null);
  const { files, id, ended, refused } = useFileQueue(appId);
  const upload = useUpload(id);
  const refusal = useScopeRefusal("files:write");
  useEffect(() => {
    if (ended > 0) onUploaded();
  }, [ended, onUploaded]);
  const isGoingOn = files.length > 0;
  const stored = ended - refused.length;
  const wasGoingOn = useRef(isGoingOn);
  useEffect(() => {
    if (wasGoingOn.current && !isGoingOn && stored > 0) announce(texts.uploaded(stored));
    wasGoingOn.current = isGoingOn;
  }, [isGoingOn, stored, texts]);
  const share = format.percent(upload === undefined || upload.total === 0 ? 0 : upload.sent / upload.total);
  const count = ended + files.length;
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          addFiles(appId, [...(target.files ?? [])]);
          target.value = "";
        }}
      />
      <Button icon="upload" isBusy={isGoingOn} refusal={refusal} onClick={() => input.current?.click()}>
        {!isGoingOn ? texts.upload : count === 1 ? texts.uploading(share) : texts.uploadingOf(ended + 1, count, share)}
      </Button>
      {isGoingOn ? <Button onClick={() => cancelFiles(appId)}>{general.cancel}</Button> : null}
      {upload?.status === "broken" ? (
        <Callout
          icon="warning"
          title={forms.connectionLost}
          role="alert"
          actions={<Button onClick={() => continueUpload(id)}>{general.retry}</Button>}
        />
      ) : null}
      {refused.length === 0 || isGoingOn ? null : (
        <Refused refused={refused} isOnly={ended === 1} onRetry={() => retryFiles(appId)} />
      )}
    </>
  );
}

interface RefusedProps {
  readonly refused: readonly RefusedFile[];
  /** Whether a single file was given, so that its name goes without saying. */
  readonly isOnly: boolean;
  readonly onRetry: () => void;
}

function Refused({ refused, isOnly, onRetry }: RefusedProps) {
  const { general } = useTexts();
  const note = useFocusOnRefusal<HTMLDivElement>(refused);
  const texts = { ...general, offline: general.unreachable };
  const [first] = refused;
  if (isOnly) return <ProblemNote ref={note} error={first?.error} offline={general.unreachable} onRetry={onRetry} />;
  return (
    <Callout
      ref={note}
      icon="error"
      title={general.failed}
      role="alert"
      actions={<Button onClick={onRetry}>{general.retry}</Button>}
    >
      <ul>
        {refused.map(({ file, error }, index) => (
          <li key={index}>
            <bdi>{visibleText(file.name)}</bdi>: {messageOf(error, texts)}
          </li>
        ))}
      </ul>
    </Callout>
  );
}

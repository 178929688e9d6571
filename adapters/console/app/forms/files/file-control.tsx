/** Files: dropped, pasted, chosen, taken with a camera, or one that the app has. Each gets an upload URL of its own. */

import { type ClipboardEvent, type DragEvent, useRef, useState } from "react";
import type { FileEntry } from "../../../../../src/forms/model/entry.ts";
import type { FileShape } from "../../../../../src/forms/model/form-model.ts";
import { omitUndefined } from "../../../../../src/json.ts";
import { Button } from "../../elements/controls/button.tsx";
import { messageOf } from "../../elements/problem-note.tsx";
import { visibleText } from "../../elements/values/visible-text.ts";
import { client } from "../../server/client.ts";
import { useScopeRefusal } from "../../session/session-context.ts";
import { useFormat } from "../../texts/format.ts";
import { isolateTurning } from "../../texts/isolate.ts";
import { useTexts } from "../../texts/language.ts";
import type { ControlProps } from "../control-props.ts";
import { useForm } from "../form-context.ts";
import { Outside } from "../outside.tsx";
import { FilePicker } from "./file-picker.tsx";
import { FileRow } from "./file-row.tsx";
import { givenFiles } from "./given-files.ts";
import { LeftFiles } from "./left-files.tsx";
import { acceptsType } from "./media-types.ts";
import { forgetUpload, sendFile } from "./uploads.ts";
import "./files.css";

export function FileControl({ shape, entry, change, attributes }: ControlProps<"file">) {
  const { forms } = useTexts();
  const files = entry.kind === "files" ? entry.files : NO_FILES;
  const [isPicking, setPicking] = useState(false);
  const [isOver, setOver] = useState(false);
  const { add, refusals } = useAdding(shape, change);

  const take = (event: DragEvent | ClipboardEvent, given: DataTransfer) => {
    if (given.files.length === 0) return;
    event.preventDefault();
    add(givenFiles(given));
  };
  const { "aria-invalid": _, ...described } = attributes;
  return (
    <div
      {...described}
      role="group"
      aria-labelledby={`${attributes.id}-label`}
      className="file-control"
      onPaste={(event) => take(event, event.clipboardData)}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        take(event, event.dataTransfer);
      }}
    >
      {files.length === 0 ? null : (
        <ul className="file-rows">
          {files.map((file) => (
            <li key={file.id}>
              <FileRow file={file} change={change} />
            </li>
          ))}
        </ul>
      )}
      <div className={`drop-zone${isOver ? " over" : ""}`}>
        <span className="drop-hint">{forms.dropFiles(shape.isMany)}</span>
        <Choosers shape={shape} onFiles={add} onPick={() => setPicking(true)} />
        <Limits shape={shape} />
      </div>
      <LeftFiles files={files} />
      {refusals.length === 0 ? null : (
        <div role="alert">
          <ul className="refusals">
            {refusals.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      )}
      {isPicking ? (
        <Outside>
          <FilePicker
            shape={shape}
            onClose={() => setPicking(false)}
            onChoose={(file) => {
              setPicking(false);
              const { id, name, size, mime_type: type } = file;
              change((before) => withFile(shape, before, { id, name, size, type, uploadUrl: null }));
            }}
          />
        </Outside>
      ) : null}
    </div>
  );
}

const NO_FILES: readonly FileEntry[] = [];

type Values = Parameters<Parameters<ControlProps["change"]>[0]>[0];

/** A second file takes the place of the first one where only one is accepted. */
function withFile(shape: FileShape, before: Values, file: FileEntry): Values {
  const files = before.kind === "files" && shape.isMany ? before.files : [];
  return { kind: "files", files: [...files.filter(({ id }) => id !== file.id), file] };
}

/** Adds files, and says why some were not added. */
function useAdding(shape: FileShape, change: ControlProps["change"]) {
  const { forms, general } = useTexts();
  const format = useFormat();
  const { appId } = useForm();
  const mayNot = useScopeRefusal("files:write");
  const [refusals, setRefusals] = useState<readonly string[]>([]);

  function refusalOf(file: File): string | null {
    const { size, type } = file;
    const { allowedTypes, maxSize } = shape;
    const name = visibleText(file.name);
    if (maxSize !== null && size > maxSize) return forms.tooLarge(name, format.largestSize(maxSize));
    return acceptsType(allowedTypes, type) ? null : forms.wrongType(name, (allowedTypes ?? []).join(", "));
  }

  async function addOne(file: File): Promise<string | null> {
    const refusal = refusalOf(file);
    if (refusal !== null) return refusal;
    try {
      const { allowedTypes, maxSize, visibility } = shape;
      const { upload_url: uploadUrl, future_file_id: id } = await client.files.createUpload(appId, {
        visibility,
        // The server shortens a longer name that comes with the bytes, with its ending.
        ...omitUndefined({
          file_name: file.name.length > 255 ? undefined : file.name,
          allowed_types: allowedTypes?.slice(),
          max_size: maxSize ?? undefined,
        }),
      });
      const { name, size, type, lastModified: changedAt } = file;
      const entry = { id, name, size, type, uploadUrl, changedAt };
      change((before) => {
        if (before.kind === "files" && !shape.isMany) for (const one of before.files) forgetUpload(one.id);
        return withFile(shape, before, entry);
      });
      sendFile(entry, file);
      return null;
    } catch (error) {
      return `${isolateTurning(visibleText(file.name))}: ${messageOf(error, { ...general, offline: general.unreachable })}`;
    }
  }

  async function add(given: readonly File[]): Promise<void> {
    // They may also be dropped or pasted.
    if (mayNot !== undefined) return setRefusals([mayNot]);
    const taken = shape.isMany ? given : given.slice(0, 1);
    const found: string[] = [];
    for (const file of taken) {
      const refusal = await addOne(file);
      if (refusal !== null) found.push(refusal);
    }
    setRefusals(found);
  }
  return { add: (given: readonly File[]) => void add(given), refusals };
}

interface ChoosersProps {
  readonly shape: FileShape;
  readonly onFiles: (files: readonly File[]) => void;
  readonly onPick: () => void;
}

function Choosers({ shape, onFiles, onPick }: ChoosersProps) {
  const { forms } = useTexts();
  const sendRefusal = useScopeRefusal("files:write");
  const pickRefusal = useScopeRefusal("files:read");
  const chooser = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const { allowedTypes, isMany } = shape;
  const takesPictures = allowedTypes === null || allowedTypes.some((type) => /^(image\/|\*\/\*)/.test(type));
  const general = {
    type: "file",
    hidden: true,
    tabIndex: -1,
    onChange: ({ target }: { readonly target: HTMLInputElement }) => {
      onFiles([...(target.files ?? [])]);
      // The same file can be chosen again.
      target.value = "";
    },
  };
  return (
    <>
      <Button icon="upload" refusal={sendRefusal} onClick={() => chooser.current?.click()}>
        {forms.chooseFiles(isMany)}
      </Button>
      <input {...general} ref={chooser} multiple={isMany} accept={allowedTypes?.join(",")} />
      {takesPictures ? (
        <>
          <Button className="camera" refusal={sendRefusal} onClick={() => camera.current?.click()}>
            {forms.takePhoto}
          </Button>
          <input {...general} ref={camera} accept="image/*" capture="environment" />
        </>
      ) : null}
      <Button kind="quiet" icon="files" refusal={pickRefusal} onClick={onPick}>
        {forms.fromApp}
      </Button>
    </>
  );
}

function Limits({ shape: { allowedTypes, maxSize } }: { readonly shape: FileShape }) {
  const { forms } = useTexts();
  const format = useFormat();
  const limits = [
    ...(allowedTypes === null ? [] : [forms.allowedTypes(allowedTypes.join(", "))]),
    ...(maxSize === null ? [] : [forms.maxSize(format.largestSize(maxSize))]),
  ];
  return limits.length === 0 ? null : <span className="notes">{limits.join(" · ")}</span>;
}

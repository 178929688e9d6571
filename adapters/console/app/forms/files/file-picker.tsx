/** The files of the app, to use one of them. */
import { useId, useState } from "react";
import type { File } from "../../../../../src/files/file.ts";
import type { FileShape } from "../../../../../src/forms/model/form-model.ts";
import { omitUndefined } from "../../../../../src/json.ts";
import { Dialog } from "../../elements/dialogs/dialog.tsx";
import { EmptyState } from "../../elements/lists/empty-state.tsx";
import { ListStates } from "../../elements/lists/list-states.tsx";
import { usePagedList } from "../../elements/lists/paged-list.ts";
import { SEARCH_PATIENCE_MS, useSettled } from "../../elements/use-settled.ts";
import { Time } from "../../elements/values/time.tsx";
import { visibleText } from "../../elements/values/visible-text.ts";
import { client } from "../../server/client.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.ts";
import { useForm } from "../form-context.ts";
import { acceptsType } from "./media-types.ts";

interface FilePickerProps {
  readonly shape: FileShape;
  readonly onChoose: (file: File) => void;
  readonly onClose: () => void;
}

export function FilePicker({ shape, onChoose, onClose }: FilePickerProps) {
  const { forms } = useTexts();
  const format = useFormat();
  const { appId } = useForm();
  const [text, setText] = useState("");
  const search = useSettled(text.trim(), SEARCH_PATIENCE_MS);
  const id = useId();
  const list = usePagedList<File>({
    queryKey: [appId, "files", "list", search],
    read: (page_token, signal) =>
      client
        .with({ signal })
        .files.list(appId, omitUndefined({ page_token, search: search === "" ? undefined : search })),
  });
  const isUsable = ({ mime_type, size }: File) =>
    acceptsType(shape.allowedTypes, mime_type) && (shape.maxSize === null || size <= shape.maxSize);
  return (
    <Dialog title={forms.storedFiles} onClose={onClose}>
      <input
        id={id}
        type="search"
        aria-label={forms.searchFiles}
        placeholder={forms.searchFiles}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <ListStates list={list} empty={<EmptyState title={forms.noFiles} />}>
        {(files) => (
          <ul className="stored-files">
            {files.map((file) => (
              <li key={file.id}>
                <button
                  type="button"
                  disabled={!isUsable(file)}
                  aria-label={forms.useFile(visibleText(file.name))}
                  onClick={() => onChoose(file)}
                >
                  <bdi className="file-name">{visibleText(file.name)}</bdi>
                  <span className="notes">
                    {format.size(file.size)} · {file.mime_type} · <Time at={file.created_at} />
                  </span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </ListStates>
    </Dialog>
  );
}

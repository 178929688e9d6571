/** Files that this page has stored, and that a person has taken out of the form since: the app keeps them. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { FileEntry } from "../../../../../src/forms/model/entry.ts";
import { announce } from "../../elements/announced.tsx";
import { Button } from "../../elements/controls/button.tsx";
import { DeleteDialog } from "../../elements/dialogs/delete-dialog.tsx";
import { visibleText } from "../../elements/values/visible-text.ts";
import { client } from "../../server/client.ts";
import { useScopeRefusal } from "../../session/session-context.ts";
import { useTexts } from "../../texts/language.ts";
import { useForm } from "../form-context.ts";
import { Outside } from "../outside.tsx";
import { isStoredHere } from "./uploads.ts";

/**
 * Says so, and offers to delete them. The page deletes none by itself: a copy of the tab may keep the form with the file,
 * and everybody in the app may have used it.
 */
export function LeftFiles({ files }: { readonly files: readonly FileEntry[] }) {
  const { forms, general } = useTexts();
  const { appId } = useForm();
  const queries = useQueryClient();
  const refusal = useScopeRefusal("files:write");
  const [asked, setAsked] = useState<FileEntry | null>(null);
  const [left, setLeft] = useLeft(files);
  if (left.length === 0 && asked === null) return null;
  return (
    <div className="left-files">
      {left.map((file) => {
        const name = nameOf(file);
        return (
          <p key={file.id}>
            <span className="notes">{forms.leftInFiles(name)}</span>{" "}
            <Button
              kind="quiet"
              icon="trash"
              refusal={refusal}
              aria-label={forms.deleteFile(name)}
              onClick={() => setAsked(file)}
            >
              {general.delete}
            </Button>
          </p>
        );
      })}
      {asked === null ? null : (
        <Outside>
          <DeleteDialog
            appId={appId}
            name={nameOf(asked)}
            onClose={() => setAsked(null)}
            onDelete={async () => {
              await client.files.remove(appId, asked.id);
              setLeft((before) => before.filter(({ id }) => id !== asked.id));
              void queries.invalidateQueries({ queryKey: [appId, "files"] });
            }}
          />
        </Outside>
      )}
    </div>
  );
}

const nameOf = ({ id, name }: FileEntry) => visibleText(name ?? id);

/** Whatever takes files out of the form: their buttons, another file in their place, or clearing the form. */
function useLeft(files: readonly FileEntry[]) {
  const { forms } = useTexts();
  const before = useRef(files);
  const [left, setLeft] = useState<readonly FileEntry[]>([]);
  useEffect(() => {
    const has = ({ id }: FileEntry) => files.some((one) => one.id === id);
    const gone = before.current.filter((one) => !has(one) && one.isDeleted !== true && isStoredHere(one.id));
    before.current = files;
    if (gone.length > 0) announce(gone.map((one) => forms.leftInFiles(nameOf(one))).join(" "));
    setLeft((known) => {
      const next = [...known.filter((one) => !has(one)), ...gone];
      return next.length === known.length && gone.length === 0 ? known : next;
    });
  }, [files, forms]);
  return [left, setLeft] as const;
}

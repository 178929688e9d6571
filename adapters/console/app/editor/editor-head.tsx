/** The head of the editor: the name of the workflow, how its draft stands to the server, and what others did to it. */
import { useEffect, useState } from "react";
import type { Workflow } from "../../../../src/workflows/workflow.ts";
import { PageHead } from "../elements/page-head.tsx";
import { nameOr } from "../elements/values/visible-text.ts";
import { isTyping } from "../shortcuts/page-keys.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";
import { DeletedNote } from "./deleted-note.tsx";
import { ClashDialog } from "./dialogs/clash-dialog.tsx";
import { DraftSign } from "./draft-sign.tsx";
import type { DraftSession } from "./saving/draft-session.ts";
import { SavedSign } from "./saving/saved-sign.tsx";
import { useHistory, useOthersChanges, useSaving } from "./use-draft.ts";

interface EditorHeadProps {
  readonly workflow: Workflow;
  readonly session: DraftSession;
  /** Whether the JSON has something that the draft has not. */
  readonly isJsonUnsaved: boolean;
}

export function EditorHead({ workflow, session, isJsonUnsaved }: EditorHeadProps) {
  const { editor: texts } = useTexts();
  const format = useFormat();
  const { present } = useHistory(session);
  const saving = useSaving(session);
  const isDeleted = useOthersChanges(session);
  const [isClashOpen, setClashOpen] = useClashOpen(saving.kind === "clash");
  const { restoredFrom } = session;
  return (
    <>
      <PageHead
        title={nameOr(workflow.name, workflow.id)}
        beside={
          <>
            <DraftSign workflow={workflow} definition={present} />
            <SavedSign saving={saving} isJsonUnsaved={isJsonUnsaved} onCompare={() => setClashOpen(true)} />
          </>
        }
        {...(restoredFrom === null
          ? undefined
          : { below: texts.restored(format.short(new Date(restoredFrom).toISOString())) })}
      />
      {isDeleted ? <DeletedNote workflow={workflow} session={session} /> : null}
      {saving.kind === "clash" && isClashOpen ? (
        <ClashDialog
          clash={saving}
          mine={present}
          onResolve={session.autosave.resolve}
          onClose={() => setClashOpen(false)}
        />
      ) : null}
    </>
  );
}

/** Opens at once, or when somebody leaves the field in which they type: their keys would choose in the dialog. */
function useClashOpen(isClash: boolean): [boolean, (isOpen: boolean) => void] {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    setOpen(false);
    if (!isClash) return undefined;
    const left = new AbortController();
    const open = () => {
      if (left.signal.aborted || isTyping(document.activeElement)) return;
      left.abort();
      setOpen(true);
    };
    // By then, the next element has the focus.
    document.addEventListener("focusout", () => requestAnimationFrame(open), { signal: left.signal });
    open();
    return () => left.abort();
  }, [isClash]);
  return [isOpen, setOpen];
}

/** The head of the editor: the name of the workflow, how its draft stands to the server, and what others did to it. */
import { useState } from "react";
import type { Workflow } from "../../../../src/workflows/workflow.ts";
import { PageHead } from "../elements/page-head.tsx";
import { nameOr } from "../elements/values/visible-text.ts";
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
}

export function EditorHead({ workflow, session }: EditorHeadProps) {
  const { editor: texts } = useTexts();
  const format = useFormat();
  const { present } = useHistory(session);
  const saving = useSaving(session);
  const isDeleted = useOthersChanges(session);
  const [isClashOpen, setClashOpen] = useState(true);
  const { restoredFrom } = session;
  return (
    <>
      <PageHead
        title={nameOr(workflow.name, workflow.id)}
        beside={
          <>
            <DraftSign workflow={workflow} definition={present} />
            <SavedSign saving={saving} onCompare={() => setClashOpen(true)} />
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

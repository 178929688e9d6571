/** What is left to do with a draft whose workflow somebody else has deleted. */
import type { Workflow } from "../../../../src/workflows/workflow.ts";
import { Button } from "../elements/controls/button.tsx";
import { useAction } from "../elements/dialogs/use-action.ts";
import { Icon } from "../elements/icons.tsx";
import { ProblemNote } from "../elements/problem-note.tsx";
import { useNavigateFromHere } from "../routing/location.ts";
import { client } from "../server/client.ts";
import { useScopeRefusal } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";
import { closeDraft, type DraftSession } from "./saving/draft-session.ts";

interface DeletedNoteProps {
  readonly workflow: Workflow;
  readonly session: DraftSession;
}

export function DeletedNote({ workflow, session }: DeletedNoteProps) {
  const navigateFromHere = useNavigateFromHere();
  const { editor: texts } = useTexts();
  const refusal = useScopeRefusal("workflows:write");
  const { isBusy, error, run } = useAction();
  const save = () =>
    run(async () => {
      const { appId, workflowId, draft, autosave } = session;
      const { id } = await client.workflows.create(appId, { ...draft.present(), name: workflow.name });
      autosave.stop();
      await closeDraft(appId, workflowId);
      navigateFromHere(`/apps/${appId}/workflows/${id}`, { replace: true });
    });
  return (
    <div role="alert" className="notice">
      <p>
        <Icon name="warning" /> <strong>{texts.deletedElsewhere}</strong>
      </p>
      <p>{texts.deletedElsewhereText}</p>
      {error === null ? null : <ProblemNote error={error} />}
      <Button kind="primary" isBusy={isBusy} refusal={refusal} onClick={() => void save()}>
        {texts.saveAsNew}
      </Button>
    </div>
  );
}

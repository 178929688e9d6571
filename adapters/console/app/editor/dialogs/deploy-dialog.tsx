/** Deploys the draft: the difference to the latest version, what uses it from then on, and notes. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useId, useState } from "react";
import type { Workflow } from "../../../../../src/workflows/workflow.ts";
import { Button } from "../../elements/controls/button.tsx";
import { Dialog } from "../../elements/dialogs/dialog.tsx";
import { Field } from "../../elements/fields/field.tsx";
import { Loading } from "../../elements/loading.tsx";
import { ProblemNote } from "../../elements/problem-note.tsx";
import { client } from "../../server/client.ts";
import { useTexts } from "../../texts/language.ts";
import { DifferenceList } from "../../versions/difference-list.tsx";
import type { DraftSession } from "../saving/draft-session.ts";
import { useHistory, useSaving } from "../use-draft.ts";
import { AffectedUses } from "./affected-uses.tsx";

interface DeployDialogProps {
  readonly session: DraftSession;
  readonly workflow: Workflow;
  /** Number of problems of the draft. */
  readonly problems: number;
  readonly onDeployed: (version: number) => void;
  readonly onClose: () => void;
}

export function DeployDialog({ session, workflow, problems, onDeployed, onClose }: DeployDialogProps) {
  const { editor: texts, general } = useTexts();
  const { present } = useHistory(session);
  const saving = useSaving(session);
  const deploy = useDeployment(session, onDeployed);
  const [notes, setNotes] = useState("");
  const form = useId();
  const next = (workflow.latest_version ?? 0) + 1;
  const isSaved = saving.kind === "saved";
  useEffect(() => void session.autosave.flush(), [session]);

  return (
    <Dialog
      title={texts.deployTitle(next)}
      size="wide"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button kind="primary" type="submit" form={form} isBusy={deploy.isBusy} disabled={problems > 0 || !isSaved}>
            {texts.deployAction(next)}
          </Button>
        </>
      }
    >
      {problems > 0 ? <p>{texts.deployProblems}</p> : null}
      {isSaved ? null : <p role="status">{texts.deployNotSaved}</p>}
      {deploy.error === null ? null : <ProblemNote error={deploy.error} />}
      <form
        id={form}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void deploy.run(notes);
        }}
      >
        <Field label={texts.notes} hint={texts.notesHint} isOptional>
          {(attributes) => (
            <textarea {...attributes} rows={3} value={notes} onChange={({ target }) => setNotes(target.value)} />
          )}
        </Field>
      </form>
      <AffectedUses workflow={workflow} settings={present.settings} />
      <LatestDifference session={session} workflow={workflow} />
    </Dialog>
  );
}

function useDeployment({ appId, workflowId }: DraftSession, onDeployed: (version: number) => void) {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  async function run(notes: string): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      const { version } = await client.workflows.deploy(appId, workflowId, {
        notes: notes.trim() === "" ? null : notes,
      });
      await queries.invalidateQueries({ queryKey: [appId, "workflows"] });
      onDeployed(version);
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  }
  return { isBusy, error, run };
}

function LatestDifference({ session, workflow }: Pick<DeployDialogProps, "session" | "workflow">) {
  const { editor: texts } = useTexts();
  const { appId, workflowId } = session;
  const { present } = useHistory(session);
  const latest = useQuery({
    queryKey: [appId, "workflows", workflowId, "versions", workflow.latest_version],
    queryFn: () => client.workflows.getVersion(appId, workflowId, "latest"),
    enabled: workflow.latest_version !== null,
  });
  if (workflow.latest_version === null) return <p>{texts.deployFirst}</p>;
  if (latest.error !== null) return <ProblemNote error={latest.error} />;
  if (latest.data === undefined) return <Loading />;
  return (
    <section className="deploy-difference">
      <h3>{texts.deployDifference(workflow.latest_version)}</h3>
      <DifferenceList before={latest.data} after={present} />
    </section>
  );
}

/**
 * Deploys the draft: the difference to the latest version, what uses it from then on, and notes. It deploys only the revision
 * that it shows.
 */
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import type { Definition } from "../../../../../src/workflows/version.ts";
import type { Workflow } from "../../../../../src/workflows/workflow.ts";
import { Callout } from "../../elements/callout.tsx";
import { Button } from "../../elements/controls/button.tsx";
import { Dialog } from "../../elements/dialogs/dialog.tsx";
import { useDiscardQuestion } from "../../elements/dialogs/use-discard-question.ts";
import { Field } from "../../elements/fields/field.tsx";
import { Loading } from "../../elements/loading.tsx";
import { messageOf, ProblemNote } from "../../elements/problem-note.tsx";
import { useFocusOnRefusal } from "../../elements/refusal-focus.ts";
import { client, isServerError } from "../../server/client.ts";
import { useTexts } from "../../texts/language.ts";
import type { Messages } from "../../texts/messages.ts";
import { DifferenceList } from "../../versions/difference-list.tsx";
import { ReplacingFile } from "../../versions/replacing-file.tsx";
import type { Problem } from "../draft/problems.ts";
import type { DraftSession } from "../saving/draft-session.ts";
import { countOf, useDeployedVersion } from "../use-changes.ts";
import { useHistory, useSaving } from "../use-draft.ts";
import { AffectedUses, useAffected } from "./affected-uses.tsx";

interface DeployDialogProps {
  readonly session: DraftSession;
  readonly workflow: Workflow;
  /** Number of problems of the draft. */
  readonly problems: number;
  /** What is probably a mistake, and prevents no deployment. */
  readonly warnings: readonly Problem[];
  readonly onDeployed: (version: number) => void;
  readonly onClose: () => void;
}

export function DeployDialog({ session, workflow, problems, warnings, onDeployed, onClose }: DeployDialogProps) {
  const { editor: texts, general } = useTexts();
  const saving = useSaving(session);
  const shown = useShownDraft(session);
  const deploy = useDeployment(session, onDeployed);
  useFocusOnRefusal(deploy.error);
  const [notes, setNotes] = useState("");
  const mayClose = useDiscardQuestion(() => notes !== "");
  const form = useId();
  const next = (workflow.latest_version ?? 0) + 1;
  const isSaved = saving.kind === "saved";
  const deployed = useDeployedVersion(workflow);
  const affected = useAffected(workflow);
  const errors = [shown.isOutdated ? null : deploy.error, deployed.error, affected.error];
  const isSame = deployed.data !== undefined && countOf(deployed.data, shown.definition) === 0;
  const isDeployable = problems === 0 && isSaved && !shown.isOutdated && !isSame;
  useEffect(() => void session.autosave.flush(), [session]);

  return (
    <Dialog
      title={texts.deployTitle(next)}
      size="wide"
      onClose={onClose}
      mayClose={mayClose}
      actions={
        <>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button kind="primary" type="submit" form={form} isBusy={deploy.isBusy} disabled={!isDeployable}>
            {texts.deployAction(next)}
          </Button>
        </>
      }
    >
      {problems > 0 ? <p>{texts.deployProblems}</p> : null}
      <Warnings warnings={warnings} />
      {isSaved ? null : <p role="status">{texts.deployNotSaved}</p>}
      <ReplacingFile appId={session.appId} name={workflow.name} />
      {shown.isOutdated ? (
        <div role="alert" tabIndex={-1} className="deploy-outdated">
          <p>{texts.deployOutdated}</p>
          <Button
            onClick={() => {
              deploy.forget();
              shown.update();
            }}
          >
            {texts.deployShowNew}
          </Button>
        </div>
      ) : null}
      {[...differentErrors(errors, general)].map(([message, error]) => (
        <ProblemNote key={message} error={error} />
      ))}
      <form
        id={form}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void deploy.run(notes, shown.revision);
        }}
      >
        <Field label={texts.notes} hint={texts.notesHint} isOptional>
          {(attributes) => (
            <textarea {...attributes} rows={3} value={notes} onChange={({ target }) => setNotes(target.value)} />
          )}
        </Field>
      </form>
      <AffectedUses appId={session.appId} affected={affected} settings={shown.definition.settings} />
      <LatestDifference workflow={workflow} definition={shown.definition} latest={deployed} />
    </Dialog>
  );
}

/** Warnings that are shown one by one. The editor lists all of them. */
const MAX_WARNINGS = 5;

function Warnings({ warnings }: Pick<DeployDialogProps, "warnings">) {
  const { editor: texts } = useTexts();
  if (warnings.length === 0) return null;
  return (
    <Callout icon="warning" title={texts.warnings(warnings.length)}>
      <ul>
        {warnings.slice(0, MAX_WARNINGS).map(({ step, pointer, message }, index) => (
          <li key={`${pointer} ${index}`}>
            <bdi>{step ?? pointer}</bdi>: {message}
          </li>
        ))}
      </ul>
    </Callout>
  );
}

/** Each with its message, and each message once: a server that is gone fails all requests. */
const differentErrors = (errors: readonly unknown[], texts: Messages["general"]): ReadonlyMap<string, unknown> =>
  new Map(errors.filter((error) => error !== null).map((error) => [messageOf(error, texts), error]));

interface ShownDraft {
  readonly definition: Definition;
  readonly revision: number;
  /** Whether somebody else has changed the draft since it is shown. */
  readonly isOutdated: boolean;
  /** Shows the newest. */
  readonly update: () => void;
}

/** The draft as it was when the server had it. It does not change under the eyes of who reads it. */
function useShownDraft(session: DraftSession): ShownDraft {
  const { present } = useHistory(session);
  const { kind } = useSaving(session);
  const revision = session.autosave.revision();
  const newest = useRef({ definition: present, revision });
  newest.current = { definition: present, revision };
  const [shown, setShown] = useState(newest.current);
  const wasSaved = useRef(kind === "saved");
  useEffect(() => {
    // Changes of this page that are stored while the dialog is open were made before it was opened.
    if (kind === "saved" && !wasSaved.current) setShown(newest.current);
    wasSaved.current = kind === "saved";
  }, [kind]);
  return {
    ...shown,
    isOutdated: kind === "saved" && shown.revision !== revision,
    update: () => setShown(newest.current),
  };
}

function useDeployment({ appId, workflowId }: DraftSession, onDeployed: (version: number) => void) {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  async function run(notes: string, expected_revision: number): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      const body = { notes: notes.trim() === "" ? null : notes, expected_revision };
      const { version } = await client.workflows.deploy(appId, workflowId, body);
      await queries.invalidateQueries({ queryKey: [appId, "workflows"] });
      onDeployed(version);
    } catch (cause) {
      // Somebody else was first: the page reads the newer draft, and the dialog says so.
      if (isServerError(cause) && cause.code === "precondition_failed") {
        await queries.invalidateQueries({ queryKey: [appId, "workflows", workflowId, "draft"] });
      }
      setError(cause);
      setBusy(false);
    }
  }
  return { isBusy, error, run, forget: () => setError(null) };
}

interface LatestDifferenceProps extends Pick<DeployDialogProps, "workflow"> {
  readonly definition: Definition;
  readonly latest: ReturnType<typeof useDeployedVersion>;
}

function LatestDifference({ workflow, definition, latest }: LatestDifferenceProps) {
  const { editor: texts } = useTexts();
  const id = useId();
  if (workflow.latest_version === null) return <p>{texts.deployFirst}</p>;
  if (latest.error !== null) return null;
  if (latest.data === undefined) return <Loading />;
  return (
    <section className="deploy-difference" aria-labelledby={id}>
      <h3 id={id}>{texts.deployDifference(workflow.latest_version)}</h3>
      <DifferenceList before={latest.data} after={definition} />
    </section>
  );
}

/** An input step that waits: what its run is about, and its form. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { WaitingInput } from "../../../../src/forms/waiting-input.ts";
import type { Run } from "../../../../src/runs/run.ts";
import type { Version } from "../../../../src/workflows/version.ts";
import { Button } from "../elements/controls/button.tsx";
import { Icon } from "../elements/icons.tsx";
import { Loading } from "../elements/loading.tsx";
import { ProblemNote } from "../elements/problem-note.tsx";
import { JsonView } from "../elements/values/json-view.tsx";
import { Time } from "../elements/values/time.tsx";
import { LIVE_QUERY } from "../live/live-query.ts";
import { Link } from "../routing/link.tsx";
import { navigate } from "../routing/location.ts";
import { useWorkflowName } from "../runs/workflow-names.ts";
import { client, isServerError } from "../server/client.ts";
import { useMay } from "../session/session-context.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";
import { AnswerForm } from "./answer-form.tsx";
import { EntryLinks } from "./entry-links.tsx";
import { LinkDialog } from "./link-dialog.tsx";
import { pathOf, type WaitingEntry } from "./waiting-entries.ts";

interface InboxEntryProps {
  readonly appId: string;
  readonly runId: string;
  readonly stepKey: string;
  /** What to go on with. */
  readonly next: WaitingEntry | null;
}

/** What the form needs. The form must not change while somebody fills it in, so it is read once. */
interface Opened {
  readonly input: WaitingInput;
  readonly run: Run;
  readonly version: Version;
}

export function InboxEntry({ appId, runId, stepKey, next }: InboxEntryProps) {
  const { inbox } = useTexts();
  const [isSent, setSent] = useState(false);
  const opened = useQuery({
    queryKey: [appId, "inputs", runId, stepKey, "form"],
    queryFn: () => open(appId, runId, stepKey),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    retry: false,
  });
  // Somebody else may answer meanwhile.
  const current = useQuery({
    queryKey: [appId, "inputs", runId, stepKey],
    queryFn: () => client.inputs.get(appId, runId, stepKey),
    enabled: opened.data !== undefined && !isSent,
    retry: false,
    ...LIVE_QUERY,
  });
  const isOver = isConflict(opened.error) || isConflict(current.error);
  const found = opened.data;
  return (
    <article aria-label={stepKey}>
      <p className="back">
        <Link to={`/apps/${appId}/inbox`} current="none">
          <Icon name="chevronLeft" /> {inbox.backToList}
        </Link>
      </p>
      <h2>{stepKey}</h2>
      {isSent ? (
        <Sent appId={appId} runId={runId} next={next} />
      ) : (
        <>
          {isOver ? <Answered appId={appId} runId={runId} next={next} /> : null}
          {opened.error === null || isOver ? null : (
            <ProblemNote error={opened.error} onRetry={() => void opened.refetch()} />
          )}
          {opened.isPending ? <Loading /> : null}
          {found === undefined ? null : (
            <>
              <About appId={appId} opened={found} isOver={isOver} />
              <AnswerForm
                appId={appId}
                {...found}
                isOver={isOver}
                onOver={() => void current.refetch()}
                onSent={() => setSent(true)}
              />
            </>
          )}
        </>
      )}
    </article>
  );
}

async function open(appId: string, runId: string, stepKey: string): Promise<Opened> {
  const [input, run] = await Promise.all([client.inputs.get(appId, runId, stepKey), client.runs.get(appId, runId)]);
  const version = await client.workflows.getVersion(appId, run.workflow_id, run.workflow_version_id);
  return { input, run, version };
}

const isConflict = (error: unknown) => isServerError(error) && error.code === "conflict";

interface AfterwardsProps {
  readonly appId: string;
  readonly runId: string;
  readonly next: WaitingEntry | null;
}

function Sent(props: AfterwardsProps) {
  const { inbox } = useTexts();
  return (
    <div className="notice good" role="status">
      <p>
        <Icon name="check" /> {inbox.sent}
      </p>
      <Onward {...props} />
    </div>
  );
}

function Answered(props: AfterwardsProps) {
  const { inbox } = useTexts();
  return (
    <div className="notice over" role="alert">
      <p>
        <Icon name="warning" /> <strong>{inbox.answered}</strong>
      </p>
      <p>{inbox.answeredText}</p>
      <Onward {...props} />
    </div>
  );
}

function Onward({ appId, runId, next }: AfterwardsProps) {
  const { inbox } = useTexts();
  return (
    <p className="onward">
      {next === null ? null : <Button onClick={() => navigate(pathOf(appId, next))}>{inbox.next}</Button>}
      <Link to={`/apps/${appId}/runs/${runId}`}>{inbox.openRun}</Link>
    </p>
  );
}

function About({
  appId,
  opened,
  isOver,
}: {
  readonly appId: string;
  readonly opened: Opened;
  readonly isOver: boolean;
}) {
  const { inbox, general } = useTexts();
  const format = useFormat();
  const mayShare = useMay("runs:write");
  const [isSharing, setSharing] = useState(false);
  const { input, run } = opened;
  const name = useWorkflowName(appId, run.workflow_id);
  return (
    <>
      <dl className="about">
        <div>
          <dt>{inbox.workflow}</dt>
          <dd>
            <Link to={`/apps/${appId}/workflows/${run.workflow_id}`}>{name}</Link>
          </dd>
        </div>
        <div>
          <dt>{inbox.run}</dt>
          <dd>
            <Link to={`/apps/${appId}/runs/${run.id}`}>{run.id}</Link>
          </dd>
        </div>
        <div>
          <dt>{inbox.since}</dt>
          <dd>
            <Time at={input.since} />
          </dd>
        </div>
        <div>
          <dt>{inbox.until}</dt>
          <dd>{input.until === null ? inbox.noLimit : format.exact(input.until)}</dd>
        </div>
      </dl>
      <p className="entry-actions">
        <Button
          icon="link"
          disabled={!mayShare || isOver}
          title={mayShare ? undefined : general.needsScope("runs:write")}
          onClick={() => setSharing(true)}
        >
          {inbox.share}
        </Button>
      </p>
      <EntryLinks appId={appId} runId={run.id} stepKey={input.step_key} />
      {Object.keys(run.input).length === 0 ? null : (
        <details className="run-input">
          <summary>{inbox.runInput}</summary>
          <JsonView value={run.input} />
        </details>
      )}
      {isSharing ? (
        <LinkDialog
          appId={appId}
          runId={run.id}
          stepKey={input.step_key}
          workflowName={name}
          onClose={() => setSharing(false)}
        />
      ) : null}
    </>
  );
}

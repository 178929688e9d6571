/** An input step that waits: what its run is about, and its form. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Button } from "../elements/controls/button.tsx";
import { Icon } from "../elements/icons.tsx";
import { Loading } from "../elements/loading.tsx";
import { ProblemNote } from "../elements/problem-note.tsx";
import { LIVE_QUERY } from "../live/live-query.ts";
import { Link } from "../routing/link.tsx";
import { navigate } from "../routing/location.ts";
import { useWorkflows } from "../runs/workflow-names.ts";
import { client, isServerError } from "../server/client.ts";
import { useMay } from "../session/session-context.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";
import { AnswerForm } from "./answer-form.tsx";
import { answeredAt, settleAnswer } from "./answers-sent.ts";
import { EntryAbout, type OpenedEntry } from "./entry-about.tsx";
import { useOwnAnswer } from "./own-answer.ts";
import { pathOf, type WaitingEntry } from "./waiting-entries.ts";

interface InboxEntryProps {
  readonly appId: string;
  readonly runId: string;
  readonly stepKey: string;
  /** What to go on with. */
  readonly next: WaitingEntry | null;
}

export function InboxEntry({ appId, runId, stepKey, next }: InboxEntryProps) {
  const { inbox } = useTexts();
  const mayReadVersion = useMay("workflows:read");
  const [isSending, setSending] = useState(false);
  const [isSent, setSent] = useState(false);
  const opened = useQuery({
    queryKey: [appId, "inputs", runId, stepKey, "form"],
    queryFn: ({ signal }) => open(appId, runId, stepKey, mayReadVersion, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    retry: false,
  });
  // Somebody else may answer meanwhile. Not read while an answer is on its way, which may arrive first.
  const current = useQuery({
    queryKey: [appId, "inputs", runId, stepKey],
    queryFn: ({ signal }) => client.with({ signal }).inputs.get(appId, runId, stepKey),
    enabled: opened.data !== undefined && !isSending && !isSent,
    retry: false,
    ...LIVE_QUERY,
  });
  const isOver = isConflict(opened.error) || isConflict(current.error);
  const own = useOwnAnswer({ appId, runId, stepKey, isOver });
  const isDone = isSent || own.isOwn;
  const found = opened.data;
  useEffect(() => {
    if (own.isOwn && found !== undefined) settleAnswer(appId, runId, found.input);
  }, [own.isOwn, found, appId, runId]);
  // A form that was opened is another wait than the one that this tab has answered.
  const answered = found === undefined ? answeredAt(appId, runId, stepKey) : undefined;
  const workflow = useWorkflows(appId).data?.get(found?.run.workflow_id ?? "");
  return (
    <article aria-label={stepKey}>
      <p className="back">
        <Link to={`/apps/${appId}/inbox`} current="none">
          <Icon name="chevronLeft" /> {inbox.backToList}
        </Link>
      </p>
      <h2>
        <bdi>{stepKey}</bdi>
        {workflow === undefined ? null : (
          <>
            {" · "}
            <bdi>{workflow}</bdi>
          </>
        )}
      </h2>
      {isDone ? (
        <Sent appId={appId} runId={runId} next={next} />
      ) : (
        <>
          {isOver && own.isChecked ? <Over appId={appId} runId={runId} next={next} answeredAt={answered} /> : null}
          {opened.error === null || isOver ? null : (
            <ProblemNote error={opened.error} onRetry={() => void opened.refetch()} />
          )}
          {opened.isPending ? <Loading /> : null}
          {found === undefined ? null : (
            <>
              <EntryAbout appId={appId} opened={found} isOver={isOver} />
              <AnswerForm
                appId={appId}
                {...found}
                isOver={isOver}
                isSending={isSending}
                onSending={(answer) => {
                  own.onTry(answer);
                  setSending(true);
                }}
                onFailed={(error) => {
                  if (isRefusal(error)) own.onTry(null);
                  setSending(false);
                }}
                onConflict={async () => isConflict((await current.refetch()).error)}
                onSent={() => {
                  // Also for somebody who has gone on to another entry meanwhile.
                  settleAnswer(appId, runId, found.input);
                  setSent(true);
                }}
              />
            </>
          )}
        </>
      )}
    </article>
  );
}

async function open(
  appId: string,
  runId: string,
  stepKey: string,
  mayReadVersion: boolean,
  signal: AbortSignal,
): Promise<OpenedEntry> {
  const { inputs, runs, workflows } = client.with({ signal });
  const [input, run] = await Promise.all([inputs.get(appId, runId, stepKey), runs.get(appId, runId)]);
  const readVersion = () => workflows.getVersion(appId, run.workflow_id, run.workflow_version_id);
  // The run goes on when its workflow is deleted: what the version adds to its form is not needed to answer.
  const version = mayReadVersion ? await readVersion().catch(nullIfGone) : null;
  return { input, run, version };
}

function nullIfGone(error: unknown): null {
  if (isServerError(error) && error.code === "not_found") return null;
  throw error;
}

/** Whether an answer was certainly not taken. After a conflict, an earlier try may have been. */
const isRefusal = (error: unknown) => isServerError(error) && !isConflict(error) && error.status < 500;

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

function Over({ answeredAt, ...props }: AfterwardsProps & { readonly answeredAt: string | undefined }) {
  const { inbox } = useTexts();
  const format = useFormat();
  if (answeredAt !== undefined)
    return (
      <div className="notice good" role="status">
        <p>
          <Icon name="check" /> {inbox.answeredByYou(format.short(answeredAt))}
        </p>
        <Onward {...props} />
      </div>
    );
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

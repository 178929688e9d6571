/** What an input step that waits is about: its run, its times, and what the run was given. */
import { useState } from "react";
import type { WaitingInput } from "../../../../src/forms/waiting-input.ts";
import type { Run } from "../../../../src/runs/run.ts";
import type { Version } from "../../../../src/workflows/version.ts";
import { Button } from "../elements/controls/button.tsx";
import { Link } from "../routing/link.tsx";
import { useWorkflowName } from "../runs/workflow-names.ts";
import { useScopeRefusal } from "../session/session-context.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";
import { EntryLinks } from "./entry-links.tsx";
import { LinkDialog } from "./link-dialog.tsx";
import { RunInput } from "./run-input.tsx";

/** What the form needs. The form must not change while somebody fills it in, so it is read once. */
export interface OpenedEntry {
  readonly input: WaitingInput;
  readonly run: Run;
  /** Null if it is gone, or may not be read. */
  readonly version: Version | null;
}

export function EntryAbout({
  appId,
  opened,
  isOver,
}: {
  readonly appId: string;
  readonly opened: OpenedEntry;
  readonly isOver: boolean;
}) {
  const { inbox } = useTexts();
  const format = useFormat();
  const refusal = useScopeRefusal("runs:write") ?? (isOver ? inbox.answered : undefined);
  const [isSharing, setSharing] = useState(false);
  const { input, run, version } = opened;
  const name = useWorkflowName(appId, run.workflow_id);
  return (
    <>
      <dl className="about">
        <div>
          <dt>{inbox.workflow}</dt>
          <dd>
            <Link to={`/apps/${appId}/workflows/${run.workflow_id}`}>
              <bdi>{name}</bdi>
            </Link>
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
            <time dateTime={input.since}>{format.exact(input.since)}</time>
          </dd>
        </div>
        <div>
          <dt>{inbox.until}</dt>
          <dd>{input.until === null ? inbox.noLimit : format.exact(input.until)}</dd>
        </div>
      </dl>
      <p className="entry-actions">
        <Button icon="link" refusal={refusal} onClick={() => setSharing(true)}>
          {inbox.share}
        </Button>
      </p>
      <EntryLinks appId={appId} runId={run.id} stepKey={input.step_key} />
      <RunInput appId={appId} run={run} version={version} />
      {isSharing ? (
        <LinkDialog
          appId={appId}
          runId={run.id}
          stepKey={input.step_key}
          workflowName={name}
          isOver={isOver}
          onClose={() => setSharing(false)}
        />
      ) : null}
    </>
  );
}

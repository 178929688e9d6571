/** The head of a run: what became of it, of which workflow and version, what set it off, when, and what to do. */

import { Fragment } from "react";
import { PageHead } from "../elements/page-head.tsx";
import { StatusSign } from "../elements/values/status-sign.tsx";
import { Duration, Time } from "../elements/values/time.tsx";
import { nameOr } from "../elements/values/visible-text.ts";
import { Link } from "../routing/link.tsx";
import { useNameInLists } from "../runs/workflow-names.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";
import { useWorkflow } from "../workflows/use-workflow.ts";
import { RunActions } from "./actions/run-actions.tsx";
import { Failure, useWait, Waits } from "./run-banners.tsx";
import { useShownRun } from "./run-context.ts";
import { Trigger } from "./trigger.tsx";

export function RunHead() {
  const { run: texts } = useTexts();
  const format = useFormat();
  const { appId, live } = useShownRun();
  const { run } = live;
  const { isForPerson, until } = useWait();
  const workflow = useWorkflow(appId, run.workflow_id);
  // The heading is read out at once to somebody who comes from a list.
  const inLists = useNameInLists(appId, run.workflow_id);
  const name = nameOr(workflow.data?.name ?? inLists ?? "", run.workflow_id);
  const versionPath = run.version === 0 ? "" : `/versions/${run.version}`;
  return (
    <>
      <PageHead
        title={name}
        beside={
          <>
            <StatusSign status={run.status} isForPerson={isForPerson} />
            {run.status === "waiting" && until !== undefined ? <span>{texts.until(format.exact(until))}</span> : null}
          </>
        }
        actions={<RunActions />}
        below={
          <dl className="run-facts">
            <div>
              <dt>{texts.title}</dt>
              <dd>
                <code>{run.id}</code>
              </dd>
            </div>
            <div>
              <dt>{texts.retryVersion}</dt>
              <dd>
                <Link to={`/apps/${appId}/workflows/${run.workflow_id}${versionPath}`} current="none">
                  <bdi>{name}</bdi> {texts.version(run.version)}
                </Link>
              </dd>
            </div>
            <div>
              <dt>{texts.startedBy}</dt>
              <dd>
                <Trigger appId={appId} run={run} />
              </dd>
            </div>
            <div>
              <dt>{texts.created}</dt>
              <dd>
                {format.exact(run.created_at)} · <Time at={run.created_at} />
              </dd>
            </div>
            {run.started_at === null && run.status !== "queued" ? null : (
              <div>
                <dt>{texts.duration}</dt>
                <dd>
                  {run.started_at === null ? texts.queuedFor : <Duration from={run.started_at} to={run.finished_at} />}
                </dd>
              </div>
            )}
            {run.tags.length === 0 ? null : (
              <div>
                <dt>{texts.tags}</dt>
                <dd>
                  {run.tags.map((tag, index) => (
                    <Fragment key={tag}>
                      {index === 0 ? "" : ", "}
                      <bdi>{tag}</bdi>
                    </Fragment>
                  ))}
                </dd>
              </div>
            )}
          </dl>
        }
      />
      <Failure />
      <Waits />
      {run.begins_at === undefined ? null : <p>{texts.beginsAt(format.exact(run.begins_at))}</p>}
    </>
  );
}

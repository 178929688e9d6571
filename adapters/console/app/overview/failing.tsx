/** The workflows of which most runs fail. */
import type { Summary } from "../../../../src/summary/summary.ts";
import { Time } from "../elements/values/time.tsx";
import { nameOr } from "../elements/values/visible-text.ts";
import { Link } from "../routing/link.tsx";
import { useTexts } from "../texts/language.ts";
import { failedRuns } from "./failed-runs.ts";
import { Panel } from "./panel.tsx";

export function Failing({ appId, summary }: { readonly appId: string; readonly summary: Summary }) {
  const { overview: texts } = useTexts();
  const { failing_workflows: failing } = summary;
  return (
    <Panel title={texts.failing} more={null}>
      {failing.length === 0 ? <p className="nothing">{texts.nothingFails}</p> : null}
      <ul className="rows">
        {failing.map((workflow) => (
          <FailingRow key={workflow.workflow_id} appId={appId} summary={summary} workflow={workflow} />
        ))}
      </ul>
    </Panel>
  );
}

interface FailingRowProps {
  readonly appId: string;
  readonly summary: Summary;
  readonly workflow: Summary["failing_workflows"][number];
}

function FailingRow({ appId, summary, workflow }: FailingRowProps) {
  const { overview: texts } = useTexts();
  const { workflow_id, failed, last_run } = workflow;
  const name = nameOr(workflow.name ?? "", workflow_id);
  const message = last_run.step === null ? last_run.message : `${last_run.step}: ${last_run.message}`;
  return (
    <li className="failing">
      <Link className="name" to={failedRuns(appId, summary, workflow_id)} title={name}>
        <bdi>{name}</bdi>
      </Link>
      <span>{texts.failedRuns(failed)}</span>
      <span className="last">
        {texts.lastOf}{" "}
        <Link to={`/apps/${appId}/runs/${last_run.id}`} title={message}>
          <bdi className="message">{message}</bdi>
        </Link>{" "}
        <Time at={last_run.created_at} />
      </span>
    </li>
  );
}

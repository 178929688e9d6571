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
        {failing.map(({ workflow_id, name, failed, last_run }) => (
          <li key={workflow_id} className="failing">
            <Link className="name" to={failedRuns(appId, summary, workflow_id)}>
              <bdi>{nameOr(name ?? "", workflow_id)}</bdi>
            </Link>
            <span>{texts.failedRuns(failed)}</span>
            <span className="last">
              {texts.lastOf}{" "}
              <Link to={`/apps/${appId}/runs/${last_run.id}`}>
                <bdi className="message">
                  {last_run.step === null ? last_run.message : `${last_run.step}: ${last_run.message}`}
                </bdi>
              </Link>{" "}
              <Time at={last_run.created_at} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

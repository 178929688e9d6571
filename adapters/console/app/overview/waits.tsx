/** What waits for people, the longest first. */
import { useQuery } from "@tanstack/react-query";
import { Icon } from "../elements/icons.tsx";
import { Time } from "../elements/values/time.tsx";
import { GivenValues } from "../inbox/given-values.tsx";
import { LIVE_QUERY } from "../live/live-query.ts";
import { Link } from "../routing/link.tsx";
import { useWorkflowName } from "../runs/workflow-names.ts";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";
import { Panel } from "./panel.tsx";

const SHOWN = 5;

export function Waits({ appId }: { readonly appId: string }) {
  const { overview: texts } = useTexts();
  const waits = useQuery({
    queryKey: [appId, "inputs", "longest"],
    queryFn: ({ signal }) => client.with({ signal }).inputs.list(appId, { take: SHOWN }),
    ...LIVE_QUERY,
  });
  const { items = [], total = 0 } = waits.data ?? {};
  const inputs = items.flatMap((run) => run.inputs.map((input) => ({ ...run, ...input })));
  return (
    <Panel title={texts.waits} more={total > SHOWN ? { to: `/apps/${appId}/inbox`, text: texts.allOf(total) } : null}>
      {waits.data !== undefined && inputs.length === 0 ? <p className="nothing">{texts.nothingWaits}</p> : null}
      <ul className="rows">
        {inputs.slice(0, SHOWN).map(({ run_id, step_key, workflow_id, since, input_preview }) => (
          <li key={`${run_id}/${step_key}`} className="wait">
            <Icon name="person" />
            <Link to={`/apps/${appId}/inbox/${run_id}/${encodeURIComponent(step_key)}`}>
              <bdi>{step_key}</bdi>
            </Link>
            <WorkflowName appId={appId} id={workflow_id} />
            <Time at={since} />
            <GivenValues values={input_preview} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export function WorkflowName({ appId, id }: { readonly appId: string; readonly id: string }) {
  const name = useWorkflowName(appId, id);
  return (
    <span className="of">
      <bdi>{name}</bdi>
    </span>
  );
}

/** What waits for people, the longest first. */
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import type { WaitingRun } from "../../../../src/forms/waiting-input.ts";
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
        {inputs.slice(0, SHOWN).map((input) => (
          <Wait key={`${input.run_id}/${input.step_key}`} appId={appId} input={input} />
        ))}
      </ul>
    </Panel>
  );
}

interface WaitProps {
  readonly appId: string;
  readonly input: Pick<WaitingRun, "run_id" | "workflow_id" | "input_preview"> &
    Pick<WaitingRun["inputs"][number], "step_key" | "since">;
}

function Wait({ appId, input: { run_id, step_key, workflow_id, since, input_preview } }: WaitProps) {
  const id = useId();
  const workflow = useWorkflowName(appId, workflow_id);
  return (
    <li className="wait">
      <Icon name="person" />
      <Link
        id={id}
        // In a list of links, the key of the step alone is that of many.
        aria-labelledby={`${id} ${id}-workflow ${id}-since ${id}-values`}
        to={`/apps/${appId}/inbox/${run_id}/${encodeURIComponent(step_key)}`}
      >
        <bdi>{step_key}</bdi>
      </Link>
      <span id={`${id}-workflow`} className="of">
        <bdi>{workflow}</bdi>
      </span>
      <span id={`${id}-since`}>
        <Time at={since} />
      </span>
      <span id={`${id}-values`} className="given">
        <GivenValues values={input_preview} />
      </span>
    </li>
  );
}

/** The newest runs, without tests of steps. */
import { useQuery } from "@tanstack/react-query";
import { StatusSign } from "../elements/values/status-sign.tsx";
import { Time } from "../elements/values/time.tsx";
import { LIVE_QUERY } from "../live/live-query.ts";
import { withNewer } from "../live/run-rows.ts";
import { Link } from "../routing/link.tsx";
import { TRIGGERS_BUT_TESTS } from "../runs/filters/run-filters.ts";
import { useWorkflowName } from "../runs/workflow-names.ts";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";
import { Panel } from "./panel.tsx";

const SHOWN = 8;

export function RecentRuns({ appId }: { readonly appId: string }) {
  const { overview: texts } = useTexts();
  const runs = useQuery({
    queryKey: [appId, "runs", "recent"],
    queryFn: async ({ signal }) => {
      const started = performance.now();
      return withNewer(
        await client.with({ signal }).runs.list(appId, { take: SHOWN, trigger: TRIGGERS_BUT_TESTS }),
        started,
      );
    },
    ...LIVE_QUERY,
  });
  return (
    <Panel title={texts.recentRuns} more={{ to: `/apps/${appId}/runs`, text: texts.allRuns }}>
      <ul className="rows recent">
        {runs.data?.items.map(({ id, status, workflow_id, created_at }) => (
          <li key={id}>
            <span id={`${id}-status`}>
              <StatusSign status={status} />
            </span>
            <Link
              id={id}
              // In a list of links, the name of the workflow alone is that of many.
              aria-labelledby={`${id} ${id}-status ${id}-time`}
              to={`/apps/${appId}/runs/${id}`}
            >
              <Name appId={appId} id={workflow_id} />
            </Link>
            <span id={`${id}-time`}>
              <Time at={created_at} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Name({ appId, id }: { readonly appId: string; readonly id: string }) {
  return <bdi>{useWorkflowName(appId, id)}</bdi>;
}

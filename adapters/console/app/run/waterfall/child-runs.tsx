/** The runs that a step has started, unfolded below it on the same axis. */
import { omitUndefined } from "../../../../../src/json.ts";
import type { RunSummary } from "../../../../../src/runs/run.ts";
import type { RunStep } from "../../../../../src/runs/run-step.ts";
import { ListStates } from "../../elements/lists/list-states.tsx";
import { usePagedList } from "../../elements/lists/paged-list.ts";
import { StatusSign } from "../../elements/values/status-sign.tsx";
import { Duration } from "../../elements/values/time.tsx";
import { Link } from "../../routing/link.tsx";
import { client } from "../../server/client.ts";
import { useKnownNow } from "../../server/now.ts";
import { useShownRun } from "../run-context.ts";
import { percent } from "./axis-head.tsx";
import type { TimeAxis } from "./time-axis.ts";

const TAKE = 20;

export function ChildRuns({ step, axis }: { readonly step: RunStep; readonly axis: TimeAxis }) {
  const { appId, live } = useShownRun();
  const list = usePagedList({
    queryKey: [appId, "runs", live.run.id, "children", step.key],
    read: (pageToken, signal) =>
      client.with({ signal }).runs.list(
        appId,
        omitUndefined({
          parent_run_id: live.run.id,
          parent_step: step.key,
          order: "asc" as const,
          take: TAKE,
          page_token: pageToken,
        }),
      ),
    isLive: step.finished_at === null,
  });
  return (
    <div className="child-runs">
      <ListStates list={list} empty={null}>
        {(runs) => (
          <ul>
            {runs.map((run) => (
              <ChildRun key={run.id} appId={appId} run={run} axis={axis} />
            ))}
          </ul>
        )}
      </ListStates>
    </div>
  );
}

interface ChildRunProps {
  readonly appId: string;
  readonly run: RunSummary;
  readonly axis: TimeAxis;
}

function ChildRun({ appId, run, axis }: ChildRunProps) {
  const now = useKnownNow();
  const from = Date.parse(run.started_at ?? run.created_at);
  const to = run.finished_at === null ? now : Date.parse(run.finished_at);
  const start = axis.placeOf(from);
  const kind = run.status === "waiting" ? "waiting" : "running";
  return (
    <li>
      <span className="name">
        <Link to={`/apps/${appId}/runs/${run.id}`}>
          <code>{run.id}</code>
        </Link>
        <StatusSign status={run.status} isWordHidden={run.status === "succeeded"} />
      </span>
      <span className="axis">
        <span
          className={`bar ${kind} ${run.status}`}
          style={{ left: percent(start), width: percent(axis.placeOf(to) - start) }}
        />
      </span>
      <span className="took">
        <Duration from={run.started_at ?? run.created_at} to={run.finished_at} />
      </span>
    </li>
  );
}

/** Four counts, each a link to what it counts. */
import type { ReactNode } from "react";
import type { Summary } from "../../../../src/summary/summary.ts";
import { Link } from "../routing/link.tsx";
import { useWorkflowName } from "../runs/workflow-names.ts";
import { useNow } from "../server/now.ts";
import { useMay } from "../session/session-context.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";
import { failedRuns } from "./failed-runs.ts";

interface CountsProps {
  readonly appId: string;
  readonly summary: Summary;
}

export function Counts({ appId, summary }: CountsProps) {
  const { overview: texts } = useTexts();
  const format = useFormat();
  const { waiting_for_input, last_24_hours, open } = summary;
  const app = `/apps/${appId}`;
  const maySchedules = useMay("schedules:read");
  return (
    <ul className="counts">
      <Count to={`${app}/inbox`} label={texts.waitsForPeople} isAlarming={false}>
        {format.number(waiting_for_input)}
      </Count>
      <Count to={failedRuns(appId, summary)} label={texts.failedToday} isAlarming={last_24_hours.failed > 0}>
        {format.number(last_24_hours.failed)}
      </Count>
      <Count
        to={`${app}/runs?status=queued,running`}
        label={texts.running}
        isAlarming={false}
        note={open.queued > 0 ? texts.queued(open.queued) : null}
      >
        {format.number(open.running)}
      </Count>
      {maySchedules ? <Next appId={appId} summary={summary} /> : null}
    </ul>
  );
}

function Next({ appId, summary: { next_schedules } }: CountsProps) {
  const { overview: texts } = useTexts();
  const format = useFormat();
  const now = useNow();
  const [next] = next_schedules;
  const workflow = useWorkflowName(appId, next?.workflow_id ?? "");
  const note = next === undefined ? texts.nothingScheduled : (next.name ?? workflow);
  return (
    <Count to={`/apps/${appId}/schedules`} label={texts.next} isAlarming={false} note={note}>
      {next === undefined ? (
        "–"
      ) : (
        <time dateTime={next.next_at} title={format.exact(next.next_at)}>
          {format.relative(next.next_at, now)}
        </time>
      )}
    </Count>
  );
}

interface CountProps {
  readonly to: string;
  readonly label: string;
  readonly isAlarming: boolean;
  readonly note?: string | null;
  readonly children: ReactNode;
}

function Count({ to, label, isAlarming, note = null, children }: CountProps) {
  return (
    <li>
      <Link to={to} className={isAlarming ? "count alarming" : "count"}>
        <span className="label">{label}</span>
        <span className="value">{children}</span>
        {note === null ? null : (
          <span className="note">
            <bdi>{note}</bdi>
          </span>
        )}
      </Link>
    </li>
  );
}

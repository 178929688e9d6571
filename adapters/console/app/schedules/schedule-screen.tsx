/** One schedule: its settings, its next runs and its last result. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Schedule } from "../../../../src/schedules/schedule.ts";
import { DeleteDialog } from "../elements/dialogs/delete-dialog.tsx";
import { Facts } from "../elements/lists/facts.tsx";
import { Loaded } from "../elements/loaded.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { JsonView } from "../elements/values/json-view.tsx";
import { LIVE_QUERY } from "../live/live-query.ts";
import { useNavigateFromHere } from "../routing/location.ts";
import type { ScreenProps } from "../routing/screen-props.ts";
import { client } from "../server/client.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";
import { WorkflowName } from "../workflows/workflow-name.tsx";
import { LastFiring } from "./last-firing.tsx";
import { ScheduleForm } from "./schedule-form.tsx";
import { ScheduleActions } from "./schedule-menu.tsx";
import { useScheduleTitle } from "./schedule-title.ts";
import { Timing } from "./timing.tsx";
import "./schedule-screen.css";

export default function ScheduleScreen({ params: { app = "", schedule: id = "" } }: ScreenProps) {
  const found = useQuery({
    queryKey: [app, "schedules", "one", id],
    queryFn: ({ signal }) => client.with({ signal }).schedules.get(app, id),
    ...LIVE_QUERY,
  });
  return (
    <Loaded query={found} screen={{ appId: app, section: "schedules" }}>
      {(schedule) => <OneSchedule app={app} schedule={schedule} />}
    </Loaded>
  );
}

function OneSchedule({ app, schedule }: { readonly app: string; readonly schedule: Schedule }) {
  const navigateFromHere = useNavigateFromHere();
  const { schedules: texts, general } = useTexts();
  const format = useFormat();
  const queries = useQueryClient();
  const [isEditing, setEditing] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const name = useScheduleTitle(schedule);
  const zone = schedule.timezone ?? (schedule.cron === null ? null : "UTC");
  const reload = () => queries.invalidateQueries({ queryKey: [app, "schedules"] });
  return (
    <div className="schedule-screen">
      <PageHead
        title={name}
        beside={schedule.paused ? <strong className="soft">{texts.paused}</strong> : undefined}
        actions={
          <ScheduleActions
            appId={app}
            schedule={schedule}
            onEdit={() => setEditing(true)}
            onDelete={() => setDeleting(true)}
            onChanged={() => void reload()}
          />
        }
      />
      <Facts
        facts={[
          { label: texts.workflow, value: <WorkflowName appId={app} workflowId={schedule.workflow_id} /> },
          { label: texts.version, value: schedule.version },
          { label: texts.timing, value: <Timing schedule={schedule} /> },
          { label: texts.missed, value: texts.policies[schedule.missed] },
          { label: texts.last, value: <LastFiring appId={app} last={schedule.last} /> },
          { label: general.updated, value: format.exact(schedule.updated_at) },
        ]}
      />
      <h2>{zone === null ? texts.upcoming : texts.upcomingIn(zone)}</h2>
      {schedule.upcoming.length === 0 ? (
        <p>{texts.noNext}</p>
      ) : (
        <ol>
          {schedule.upcoming.map((at) => (
            <li key={at}>
              <time dateTime={at}>{zone === null ? format.exact(at) : format.exactIn(at, zone)}</time>
            </li>
          ))}
        </ol>
      )}
      <h2>{texts.input}</h2>
      <JsonView value={schedule.input} />
      {isEditing ? (
        <ScheduleForm appId={app} schedule={schedule} onClose={() => setEditing(false)} onSaved={() => void reload()} />
      ) : null}
      {isDeleting ? (
        <DeleteDialog
          appId={app}
          name={name}
          onClose={() => setDeleting(false)}
          onDelete={async () => {
            await client.schedules.remove(app, schedule.id);
            navigateFromHere(`/apps/${app}/schedules`);
            await reload();
          }}
        />
      ) : null}
    </div>
  );
}

/** The schedules of an app. */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { omitUndefined } from "../../../../src/json.ts";
import type { Schedule } from "../../../../src/schedules/schedule.ts";
import { Button } from "../elements/controls/button.tsx";
import { DeleteDialog } from "../elements/dialogs/delete-dialog.tsx";
import { SearchField } from "../elements/fields/search-field.tsx";
import { EmptyState } from "../elements/lists/empty-state.tsx";
import { ListStates } from "../elements/lists/list-states.tsx";
import { usePagedList } from "../elements/lists/paged-list.ts";
import { Table } from "../elements/lists/table.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { Time } from "../elements/values/time.tsx";
import { Link } from "../routing/link.tsx";
import { useQueryParams } from "../routing/location.ts";
import type { ScreenProps } from "../routing/screen-props.ts";
import { client } from "../server/client.ts";
import { useScopeRefusal } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";
import { WorkflowName } from "../workflows/workflow-name.tsx";
import { LastFiring } from "./last-firing.tsx";
import { ScheduleForm } from "./schedule-form.tsx";
import { ScheduleMenu } from "./schedule-menu.tsx";
import { useScheduleTitle } from "./schedule-title.ts";
import "./schedules-screen.css";
import { Timing } from "./timing.tsx";

export default function SchedulesScreen({ params: { app = "" } }: ScreenProps) {
  const { schedules: texts } = useTexts();
  const queries = useQueryClient();
  const [params, change] = useQueryParams();
  const search = params.get("search") ?? "";
  const [edited, setEdited] = useState<Schedule | "new" | null>(null);
  const [deleted, setDeleted] = useState<Schedule | null>(null);
  const refusal = useScopeRefusal("schedules:write");
  const list = usePagedList({
    queryKey: [app, "schedules", search],
    isLive: true,
    read: (page_token, signal) =>
      client.with({ signal }).schedules.list(app, {
        ...omitUndefined({ search: search === "" ? undefined : search, page_token }),
      }),
  });
  const reload = () => queries.invalidateQueries({ queryKey: [app, "schedules"] });
  const createButton = (
    <Button kind="primary" icon="plus" refusal={refusal} onClick={() => setEdited("new")}>
      {texts.create}
    </Button>
  );
  return (
    <>
      <PageHead title={texts.title} actions={createButton} />
      <SearchField value={search} onChange={(text) => change({ search: text }, { replace: true })} />
      <ListStates
        list={list}
        empty={
          <EmptyState title={texts.empty}>
            <p>{texts.emptyText}</p>
            {search === "" ? createButton : null}
          </EmptyState>
        }
      >
        {(schedules) => (
          <ScheduleTable
            appId={app}
            schedules={schedules}
            onEdit={setEdited}
            onDelete={setDeleted}
            onChanged={() => void reload()}
          />
        )}
      </ListStates>
      {edited === null ? null : (
        <ScheduleForm
          appId={app}
          schedule={edited === "new" ? null : edited}
          onClose={() => setEdited(null)}
          onSaved={() => void reload()}
        />
      )}
      {deleted === null ? null : (
        <Deletion
          schedule={deleted}
          onClose={() => setDeleted(null)}
          onDelete={async () => {
            await client.schedules.remove(app, deleted.id);
            await reload();
          }}
        />
      )}
    </>
  );
}

interface ScheduleTableProps {
  readonly appId: string;
  readonly schedules: readonly Schedule[];
  readonly onEdit: (schedule: Schedule) => void;
  readonly onDelete: (schedule: Schedule) => void;
  readonly onChanged: () => void;
}

function ScheduleTable({ appId, schedules, onEdit, onDelete, onChanged }: ScheduleTableProps) {
  const { schedules: texts, general } = useTexts();
  return (
    <Table
      label={texts.title}
      items={schedules}
      keyOf={({ id }) => id}
      columns={[
        {
          name: "name",
          label: general.name,
          isHeader: true,
          cell: (schedule) => (
            <Link to={`/apps/${appId}/schedules/${schedule.id}`}>
              <Title schedule={schedule} />
            </Link>
          ),
        },
        {
          name: "workflow",
          label: texts.workflow,
          cell: ({ workflow_id }) => <WorkflowName appId={appId} workflowId={workflow_id} />,
        },
        { name: "timing", label: texts.timing, cell: (schedule) => <Timing schedule={schedule} /> },
        { name: "next", label: texts.next, cell: (schedule) => <Next schedule={schedule} /> },
        { name: "last", label: texts.last, cell: ({ last }) => <LastFiring appId={appId} last={last} /> },
      ]}
      actions={(schedule) => (
        <ScheduleMenu
          appId={appId}
          schedule={schedule}
          onEdit={() => onEdit(schedule)}
          onDelete={() => onDelete(schedule)}
          onChanged={onChanged}
        />
      )}
    />
  );
}

function Title({ schedule }: { readonly schedule: Schedule }) {
  return <bdi className="schedule-title">{useScheduleTitle(schedule)}</bdi>;
}

interface DeletionProps {
  readonly schedule: Schedule;
  readonly onDelete: () => Promise<unknown>;
  readonly onClose: () => void;
}

function Deletion({ schedule, onDelete, onClose }: DeletionProps) {
  const name = useScheduleTitle(schedule);
  return <DeleteDialog appId={schedule.app_id} name={name} onDelete={onDelete} onClose={onClose} />;
}

function Next({ schedule: { paused, next_at } }: { readonly schedule: Schedule }) {
  const { schedules: texts } = useTexts();
  if (paused) return texts.paused;
  return next_at === null ? texts.noNext : <Time at={next_at} mayBeAhead />;
}

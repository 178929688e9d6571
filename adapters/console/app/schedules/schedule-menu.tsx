/** What one can do with a schedule. */
import { omitUndefined } from "../../../../src/json.ts";
import type { Schedule } from "../../../../src/schedules/schedule.ts";
import { Button } from "../elements/controls/button.tsx";
import { Menu } from "../elements/controls/menu.tsx";
import { useProblemDialog } from "../elements/dialogs/problem-dialog.tsx";
import { useNavigateFromHere } from "../routing/location.ts";
import { client } from "../server/client.ts";
import { useScopeRefusal } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";
import { useScheduleTitle } from "./schedule-title.ts";

interface ScheduleMenuProps {
  readonly appId: string;
  readonly schedule: Schedule;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
  readonly onChanged: () => void;
}

function useActions({ appId, schedule, onEdit, onChanged }: ScheduleMenuProps) {
  const { schedules: texts, general } = useTexts();
  const { dialog, attempt, isBusy } = useProblemDialog();
  const navigateFromHere = useNavigateFromHere();
  const refusal = useScopeRefusal("schedules:write");
  const runRefusal = useScopeRefusal("runs:write");
  const runNow = () =>
    attempt(async () => {
      const { workflow_id, version, input, step_key } = schedule;
      const run = await client.runs.create(appId, workflow_id, {
        ...{ version, input },
        ...omitUndefined({ step_key: step_key ?? undefined }),
      });
      navigateFromHere(`/apps/${appId}/runs/${run.id}`);
    });
  const pause = () =>
    attempt(async () => {
      await client.schedules.update(appId, schedule.id, { paused: !schedule.paused });
      onChanged();
    });
  const actions = [
    { label: texts.runNow, icon: "runs", refusal: runRefusal, onChoose: () => void runNow() },
    { label: general.edit, icon: "edit", refusal, onChoose: onEdit },
    {
      label: schedule.paused ? texts.resume : texts.pause,
      icon: schedule.paused ? "clock" : "pause",
      refusal,
      onChoose: () => void pause(),
    },
  ] as const;
  return { actions, refusal, dialog, isBusy };
}

/** The same as buttons, on the screen of the schedule. */
export function ScheduleActions(props: ScheduleMenuProps) {
  const { general } = useTexts();
  const { actions, refusal, dialog, isBusy } = useActions(props);
  return (
    <>
      {actions.map(({ label, icon, refusal, onChoose }, index) => (
        // By its place: the button that pauses becomes the one that resumes, and keeps the focus.
        <Button key={index} icon={icon} isBusy={isBusy} refusal={refusal} onClick={onChoose}>
          {label}
        </Button>
      ))}
      <Menu
        label={general.more}
        items={[{ label: general.delete, icon: "trash", isDangerous: true, refusal, onChoose: props.onDelete }]}
      />
      {dialog}
    </>
  );
}

export function ScheduleMenu(props: ScheduleMenuProps) {
  const { schedule, onDelete } = props;
  const { general } = useTexts();
  const { actions, refusal, dialog } = useActions(props);
  const title = useScheduleTitle(schedule);
  return (
    <>
      <Menu
        isInRow
        label={`${general.more}: ${title}`}
        items={[...actions, { label: general.delete, icon: "trash", isDangerous: true, refusal, onChoose: onDelete }]}
      />
      {dialog}
    </>
  );
}

/** What one can do with a schedule. */
import type { Schedule } from "../../../../src/schedules/schedule.ts";
import { Menu } from "../elements/controls/menu.tsx";
import { useProblemDialog } from "../elements/dialogs/problem-dialog.tsx";
import { client } from "../server/client.ts";
import { useMay } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";

interface ScheduleMenuProps {
  readonly appId: string;
  readonly schedule: Schedule;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
  readonly onChanged: () => void;
}

export function ScheduleMenu({ appId, schedule, onEdit, onDelete, onChanged }: ScheduleMenuProps) {
  const { schedules: texts, general } = useTexts();
  const { dialog, attempt } = useProblemDialog();
  const refusal = useMay("schedules:write") ? undefined : general.needsScope("schedules:write");
  const pause = () =>
    attempt(async () => {
      await client.schedules.update(appId, schedule.id, { paused: !schedule.paused });
      onChanged();
    });
  return (
    <>
      <Menu
        label={`${general.more}: ${schedule.name ?? schedule.id}`}
        items={[
          { label: general.edit, icon: "edit", refusal, onChoose: onEdit },
          {
            label: schedule.paused ? texts.resume : texts.pause,
            icon: schedule.paused ? "runs" : "pause",
            refusal,
            onChoose: () => void pause(),
          },
          { label: general.delete, icon: "trash", isDangerous: true, refusal, onChoose: onDelete },
        ]}
      />
      {dialog}
    </>
  );
}

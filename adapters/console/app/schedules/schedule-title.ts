/** What a schedule is called: its name, else what it runs and when. */
import type { Schedule } from "../../../../src/schedules/schedule.ts";
import { nameOr } from "../elements/values/visible-text.ts";
import { useWorkflowName } from "../runs/workflow-names.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";
import { useCronWords } from "./cron-words.tsx";
import { intervalText } from "./interval-text.ts";

export function useScheduleTitle({ name, app_id, workflow_id, cron, every, at }: Schedule): string {
  const { schedules: texts } = useTexts();
  const format = useFormat();
  const workflow = useWorkflowName(app_id, workflow_id);
  const words = useCronWords(cron);
  const timing = words ?? cron ?? (every === null ? null : intervalText(texts, every));
  const when = timing ?? (at === null ? null : format.short(at));
  return nameOr(name ?? "", when === null ? workflow : texts.named(workflow, when));
}

/** When a schedule runs. */
import type { Schedule } from "../../../../src/schedules/schedule.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";
import { CronWords } from "./cron-words.tsx";
import { intervalText } from "./interval-text.ts";

export function Timing({ schedule: { cron, timezone, every, at } }: { readonly schedule: Schedule }) {
  const { schedules: texts } = useTexts();
  const format = useFormat();
  if (cron !== null)
    return (
      <>
        <code dir="ltr">{cron}</code> {timezone ?? "UTC"}
        <br />
        <CronWords cron={cron} />
      </>
    );
  if (every !== null) return intervalText(texts, every);
  return at === null ? texts.noNext : format.exact(at);
}

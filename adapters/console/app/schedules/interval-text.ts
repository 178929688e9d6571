/** An interval in words: "Every 90 minutes". Pure. */
import type { Messages } from "../texts/messages.ts";
import { intervalOf } from "./interval.ts";

export function intervalText(texts: Messages["schedules"], seconds: number): string {
  const { amount, unit } = intervalOf(seconds);
  return texts.everyInterval[unit](amount);
}

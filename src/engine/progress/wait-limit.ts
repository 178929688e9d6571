/** Decides when a waiting step continues. Pure. */
import type { JsonValue } from "../../json.ts";
import { SECOND_MS } from "../../time/units.ts";
import type { WakeUp } from "../execution/step-context.ts";

/** Returns when a waiting step continues: when its time has come, or its time limit is reached. */
export function wakeUpOf(
  startsAt: number,
  wakeUp: { readonly at: number; readonly output: JsonValue } | undefined,
  limitMs: number | undefined,
): WakeUp | undefined {
  if (limitMs === undefined || (wakeUp !== undefined && wakeUp.at <= startsAt + limitMs)) {
    return wakeUp === undefined ? undefined : { kind: "settle", ...wakeUp };
  }
  const seconds = limitMs / SECOND_MS;
  const message = `${wakeUp === undefined ? "No input arrived" : "The wait did not end"} within ${seconds} ${seconds === 1 ? "second" : "seconds"}.`;
  return { kind: "fail", at: Math.round(startsAt + limitMs), error: { code: "timeout", message } };
}

/** Decides what a waiting step waits for, and how long. Pure. */
import { SECOND_MS } from "../../time/units.ts";
import type { Wait, WakeUp } from "../execution/step-context.ts";
import type { ExpressionScope } from "../expressions/expression-scope.ts";
import type { OpenWait } from "./open-tasks.ts";

/**
 * @param scope What the step sees. It became ready at its `now`.
 * @param startsAt When its time limit starts, in milliseconds since 1970: later than `now` after a retry of the run.
 */
export function openWait(wait: Wait, scope: ExpressionScope, startsAt: number, limitMs: number | undefined): OpenWait {
  const wakeUp = wait.wakeUp?.(scope);
  const event = wait.event?.(scope);
  const isWithinLimit = limitMs === undefined || (wakeUp !== undefined && wakeUp.at <= startsAt + limitMs);
  const end: WakeUp | undefined = wakeUp === undefined ? undefined : { kind: "settle", ...wakeUp };
  return {
    isInput: wakeUp === undefined && event === undefined,
    wakeUp: isWithinLimit ? end : timeLimit(startsAt, limitMs, expected(wait, event?.name)),
    event: event === undefined ? undefined : { ...event, since: scope.now.getTime() - event.lookbackMs },
  };
}

function expected({ wakeUp }: Wait, event: string | undefined): string {
  if (wakeUp !== undefined) return "The wait did not end";
  return event === undefined ? "No input arrived" : `No event ${JSON.stringify(event)} that matches arrived`;
}

function timeLimit(startsAt: number, limitMs: number, what: string): WakeUp {
  const seconds = limitMs / SECOND_MS;
  const message = `${what} within ${seconds} ${seconds === 1 ? "second" : "seconds"}.`;
  return { kind: "fail", at: Math.round(startsAt + limitMs), error: { code: "timeout", message } };
}

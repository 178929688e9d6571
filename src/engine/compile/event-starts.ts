/** Compiles the events on which a workflow starts. */
import type { ReceivedEvent } from "../../app-events/app-event.ts";
import { toReceived } from "../../app-events/app-event.ts";
import type { Settings } from "../../workflows/settings.ts";
import type { OnConditionFailure } from "../execution/step-context.ts";
import type { Cel } from "../expressions/cel.ts";
import type { ExpressionScope } from "../expressions/expression-scope.ts";
import type { SettingsReport } from "./compile-run-limits.ts";
import { type Condition, EVENT_EXAMPLE, eventCondition } from "./event-condition.ts";
import { nonBooleanProblem } from "./literal-conditions.ts";

type EventScope = Pick<ExpressionScope, "event" | "now">;

/** Whether a version starts on an event. */
export type StartsOn = (event: ReceivedEvent, onFailure?: OnConditionFailure) => boolean;

/** @param cel Null to find out whether there are expressions. */
export function compileEventStarts(
  settings: Settings | undefined,
  cel: Cel | null,
  report: Pick<SettingsReport, "onProblem" | "onExpression" | "onDeployCheck">,
): StartsOn {
  const starts = (settings?.start_on ?? []).map(({ name, condition }, index) => ({
    name,
    condition: condition === undefined ? null : compiled(condition, `/settings/start_on/${index}/condition`),
  }));

  function compiled(condition: string, pointer: string): Condition<EventScope> | null {
    if (cel === null) {
      report.onExpression();
      return null;
    }
    const message = nonBooleanProblem(condition, EVENT_EXAMPLE);
    if (message !== null) report.onDeployCheck(async () => [{ pointer, message }]);
    try {
      return eventCondition(cel.compile(condition, "start_on").evaluate);
    } catch (error) {
      report.onProblem({ pointer, message: error instanceof Error ? error.message : String(error) });
      return null;
    }
  }

  return (event, onFailure) => {
    const scope = { event: { ...toReceived(event) }, now: new Date(event.created_at) };
    return starts.some(
      ({ name, condition }) => name === event.name && (condition === null || condition(scope, onFailure)),
    );
  };
}

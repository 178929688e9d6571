/** Compiles the events on which a workflow starts. */
import type { ReceivedEvent } from "../../app-events/app-event.ts";
import { toReceived } from "../../app-events/app-event.ts";
import type { FieldError } from "../../errors.ts";
import type { Settings } from "../../workflows/settings.ts";
import type { OnConditionFailure } from "../execution/step-context.ts";
import type { Cel } from "../expressions/cel.ts";
import type { ExpressionScope } from "../expressions/expression-scope.ts";
import { type Condition, eventCondition } from "./event-condition.ts";

type EventScope = Pick<ExpressionScope, "event" | "now">;

/** Whether a version starts on an event. */
export type StartsOn = (event: ReceivedEvent, onFailure?: OnConditionFailure) => boolean;

/** @param cel Null to find out whether there are expressions. */
export function compileEventStarts(
  settings: Settings | undefined,
  cel: Cel | null,
  report: { onProblem(problem: FieldError): void; onExpression(): void },
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

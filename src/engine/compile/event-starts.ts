/** Compiles the events on which a workflow starts. */
import type { ReceivedEvent } from "../../app-events/app-event.ts";
import { toReceived } from "../../app-events/app-event.ts";
import type { FieldError } from "../../errors.ts";
import type { Settings } from "../../workflows/settings.ts";
import type { Cel, Expression } from "../expressions/cel.ts";
import { StepError } from "../step-error.ts";

/** Whether a version starts on an event. */
export type StartsOn = (event: ReceivedEvent) => boolean;

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

  function compiled(condition: string, pointer: string): Expression | null {
    if (cel === null) {
      report.onExpression();
      return null;
    }
    try {
      return cel.compile(condition, "start_on");
    } catch (error) {
      report.onProblem({ pointer, message: error instanceof Error ? error.message : String(error) });
      return null;
    }
  }

  return (event) =>
    starts.some(({ name, condition }) => name === event.name && (condition === null || holds(condition, event)));
}

/** Senders may leave out fields that the condition reads. */
function holds({ evaluate }: Expression, event: ReceivedEvent): boolean {
  try {
    return evaluate({ event: { ...toReceived(event) }, now: new Date(event.created_at) }) === true;
  } catch (error) {
    if (error instanceof StepError) return false;
    throw error;
  }
}

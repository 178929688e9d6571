/** Conditions over an event. */
import type { JsonValue } from "../../json.ts";
import type { OnConditionFailure } from "../execution/step-context.ts";
import { StepError } from "../step-error.ts";

export type Condition<Scope> = (scope: Scope, onFailure?: OnConditionFailure) => boolean;

/** A condition, for messages. */
export const EVENT_EXAMPLE = "event.payload.total > 100";

/** An event for which the condition cannot be evaluated does not match: other senders may leave out its fields. */
export function eventCondition<Scope>(evaluate: (scope: Scope) => JsonValue): Condition<Scope> {
  let hasFailed = false;
  return (scope, onFailure) => {
    try {
      return evaluate(scope) === true;
    } catch (error) {
      if (!(error instanceof StepError)) throw error;
      onFailure?.(error, !hasFailed);
      hasFailed = true;
      return false;
    }
  };
}

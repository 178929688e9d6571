/** Evaluates a condition. */

import { StepError } from "../step-error.ts";
import type { Evaluate } from "./cel.ts";
import type { ExpressionScope } from "./expression-scope.ts";

/** @throws StepError `expression_failed` if the value is neither true nor false. @param field Name of the field, for the message. */
export function holds(evaluate: Evaluate, scope: ExpressionScope, field: string): boolean {
  const value = evaluate(scope);
  if (typeof value === "boolean") return value;
  const message = `The ${field} expression must return true or false, not ${JSON.stringify(value)?.slice(0, 100)}.`;
  throw new StepError("expression_failed", message);
}

/** Finds the catch route of a failed step. Pure. */
import type { StepFailure } from "../../runs/run.ts";
import type { StepPolicies } from "../compile/step-policies.ts";
import type { ExpressionScope } from "../expressions/expression-scope.ts";
import { holds } from "../expressions/holds.ts";
import { failureOf } from "../step-error.ts";
import type { StepState } from "./step-state.ts";

/** A catch route, or the error that the step has instead if none catches it. */
export type Caught =
  | { readonly isCaught: true; readonly route: number }
  | { readonly isCaught: false; readonly error: StepFailure | null };

const MAX_MESSAGE_CHARS = 4_000;

export function catchError(
  routes: StepPolicies["routes"],
  { error, attempts }: Pick<StepState, "error" | "attempts">,
  scope: () => ExpressionScope,
): Caught {
  if (error === null) return { isCaught: false, error };
  for (const [route, condition] of routes.entries()) {
    if (condition === undefined) return { isCaught: true, route };
    try {
      const visible = { ...scope(), error: { ...error, attempts } };
      if (holds(condition, visible, `on_error/${route}/condition`)) return { isCaught: true, route };
    } catch (thrown) {
      const { code, message } = failureOf(thrown);
      const both = `${message} The error to catch was ${error.code}: ${error.message}`;
      return { isCaught: false, error: { code, message: both.slice(0, MAX_MESSAGE_CHARS) } };
    }
  }
  return { isCaught: false, error };
}

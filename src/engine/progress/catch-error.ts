/** Finds the catch route of a failed step. Pure. */
import type { StepFailure } from "../../runs/run-step.ts";
import type { StepPolicies } from "../compile/compile-policies.ts";
import type { ExpressionScope } from "../expressions/expression-scope.ts";
import { holds } from "../expressions/holds.ts";
import { failureOf } from "../step-error.ts";
import { attemptsOf, type StepState } from "./step-state.ts";

/** The catch route for an error, or the error that fails the run if no route catches it. */
export interface Caught {
  readonly route: number | null;
  readonly error: StepFailure | null;
}

const MAX_MESSAGE_CHARS = 4_000;

/**
 * A condition that cannot be evaluated doesn't hold, because a route for any error may follow. If none does, the message says
 * so; the code stays that of the step, by which runs are found.
 * @param state The failed step. Its route is given if the run was retried.
 */
export function catchError(
  routes: StepPolicies["routes"],
  state: Pick<StepState, "error" | "errors" | "attempts" | "caughtBy">,
  scope: () => ExpressionScope,
): Caught {
  const { error, caughtBy } = state;
  if (error === null || caughtBy !== undefined) return { route: caughtBy ?? null, error };
  let invalid: StepFailure | null = null;
  for (const [route, condition] of routes.entries()) {
    if (condition === undefined) return { route, error };
    try {
      const visible = { ...scope(), error: { ...error, attempts: attemptsOf(state) } };
      if (holds(condition, visible, `on_error/${route}/condition`)) return { route, error };
    } catch (thrown) {
      invalid ??= failureOf(thrown);
    }
  }
  if (invalid === null) return { route: null, error };
  const both = `${error.message} (No on_error route caught it, and one could not be evaluated: ${invalid.message})`;
  return { route: null, error: { ...error, message: both.slice(0, MAX_MESSAGE_CHARS) } };
}

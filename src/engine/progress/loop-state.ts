/** The iterations of a loop, and whether another one follows. Pure. */
import type { JsonValue } from "../../json.ts";
import type { CompiledStep } from "../compile/plan.ts";
import type { ExpressionScope } from "../expressions/expression-scope.ts";
import { holds } from "../expressions/holds.ts";
import type { Spending } from "../expressions/operation-budget.ts";
import { StepError } from "../step-error.ts";
import type { StepState } from "./step-state.ts";

/** Maximum number of iterations of a loop. */
const MAX_ITERATIONS = 1_000;

/** The iterations of a loop so far, of which at least one has ended. */
export interface LoopState {
  /** Number of the last one. */
  readonly iteration: number;
  /** Its output. */
  readonly previous: JsonValue;
  readonly state: StepState;
  /** What the loop's condition has spent in all of them. */
  readonly spent: Spending;
}

/**
 * Returns the iterations so far if another one follows, or null if the loop's condition holds.
 * @param scope As the condition sees it.
 * @param state The iteration that has just ended.
 * @param known What the condition has spent, if it is known that another iteration follows. It is not evaluated then.
 * @throws StepError `expression_failed`, `loop_limit`
 */
export function afterLoop(
  loop: NonNullable<CompiledStep["loop"]>,
  scope: ExpressionScope,
  before: LoopState | undefined,
  state: StepState,
  known: Spending | undefined,
): LoopState | null {
  const { iteration = 1 } = scope;
  if (known !== undefined) return { iteration, previous: state.output, state, spent: { ...known } };
  const spent = before?.spent ?? { operations: 0 };
  if (holds((all) => loop(all, spent), scope, "loop")) return null;
  if (iteration >= MAX_ITERATIONS) {
    throw new StepError("loop_limit", `The loop did not end within ${MAX_ITERATIONS} iterations.`);
  }
  return { iteration, previous: state.output, state, spent };
}

/**
 * Makes the expressions of one step share a budget. Thousands of expressions with a budget each would block the event
 * loop.
 */

import type { Executable } from "../execution/step-context.ts";
import type { Cel, Evaluate } from "../expressions/cel.ts";
import type { CompiledStep } from "./plan.ts";

export function withSharedBudget(original: Executable, cel: Cel | null): Executable {
  if (cel === null) return original;
  const { input } = original;
  const executable: Executable =
    input === undefined ? original : { ...original, input: (scope) => cel.shareBudget(() => input(scope)) };
  switch (executable.kind) {
    case "pure":
      return { ...executable, evaluate: (scope) => cel.shareBudget(() => executable.evaluate(scope)) };
    case "effect":
      return {
        ...executable,
        run: (scope, attempt, effects) => cel.shareBudget(() => executable.run(scope, attempt, effects)),
      };
    case "wait": {
      const { wakeUp } = executable;
      return wakeUp === undefined
        ? executable
        : { ...executable, wakeUp: (scope) => cel.shareBudget(() => wakeUp(scope)) };
    }
  }
}

/**
 * The condition of a loop has one budget for all iterations: a replay of the journal evaluates all of them in sequence.
 */
export function withLoopBudget(evaluate: Evaluate, cel: Cel | null): CompiledStep["loop"] {
  if (cel === null) return evaluate;
  return (scope, earlier) => cel.shareBudget(() => evaluate(scope), earlier);
}

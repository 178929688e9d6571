/** Compiles the settings that decide when runs begin: their keys and their priority. */

import * as v from "valibot";
import type { FieldError } from "../../errors.ts";
import type { JsonValue } from "../../json.ts";
import { invalid } from "../../messages/field-errors.ts";
import { Priority } from "../../workflows/run-limits.ts";
import type { Settings } from "../../workflows/settings.ts";
import type { Cel, Evaluate } from "../expressions/cel.ts";
import type { ExpressionScope } from "../expressions/expression-scope.ts";
import { StepError } from "../step-error.ts";

export type LimitName = "concurrency" | "debounce" | "rate_limit";

/** The settings of a version that decide when its runs begin. */
export interface CompiledLimits {
  readonly settings: Pick<Settings, LimitName>;
  /**
   * Returns what the run shares the limit with other runs by; null if all runs of the workflow share it.
   * @throws StepwellError `invalid` if the expression cannot be evaluated
   */
  keyOf(limit: LimitName, scope: ExpressionScope): JsonValue;
  /** @throws StepwellError `invalid` if it is not a whole number from -100 to 100 */
  priority(scope: ExpressionScope): number;
}

const LIMITS: readonly LimitName[] = ["concurrency", "debounce", "rate_limit"];

/**
 * Returns null for a version whose runs begin at once.
 * @param cel Null to find out whether there are expressions.
 */
export function compileLimits(
  settings: Settings | undefined,
  cel: Cel | null,
  report: { onProblem(problem: FieldError): void; onExpression(): void },
): CompiledLimits | null {
  if (settings === undefined) return null;
  const { priority = 0 } = settings;
  const used = LIMITS.filter((limit) => settings[limit] !== undefined);
  if (used.length === 0 && priority === 0) return null;

  function expression(text: string, pointer: string): Evaluate {
    if (cel === null) {
      report.onExpression();
      return () => null;
    }
    try {
      const { evaluate, steps, isDynamic } = cel.compile(text, "anywhere");
      if (steps.length === 0 && !isDynamic) return evaluate;
      report.onProblem({ pointer, message: "Must not read steps: no step of the run has been executed yet." });
    } catch (error) {
      report.onProblem({ pointer, message: error instanceof Error ? error.message : String(error) });
    }
    return () => null;
  }

  const keys = new Map<LimitName, Evaluate>();
  for (const limit of used) {
    const key = settings[limit]?.key;
    if (key !== undefined) keys.set(limit, expression(key, `/settings/${limit}/key`));
  }
  const priorityOf = typeof priority === "number" ? () => priority : expression(priority, "/settings/priority");

  return {
    settings,
    keyOf(limit, scope) {
      const key = keys.get(limit);
      return key === undefined ? null : evaluated(key, scope, `The key of ${limit}`);
    },
    priority(scope) {
      const value = evaluated(priorityOf, scope, "The priority");
      const checked = v.safeParse(Priority, value);
      if (checked.success) return checked.output;
      const actual = JSON.stringify(value).slice(0, 100);
      throw inputProblem(`The priority of the workflow must be a whole number from -100 to 100, not ${actual}.`);
    },
  };
}

function evaluated(evaluate: Evaluate, scope: ExpressionScope, what: string): JsonValue {
  try {
    return evaluate(scope);
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    throw inputProblem(`${what} in the settings of the workflow cannot be evaluated: ${error.message}`);
  }
}

const inputProblem = (message: string) => invalid([{ pointer: "/input", message }]);

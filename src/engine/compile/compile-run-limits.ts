/** Compiles the settings that decide when runs begin: their keys and their priority. */

import * as v from "valibot";
import type { FieldError } from "../../errors.ts";
import type { JsonValue } from "../../json.ts";
import { invalid } from "../../messages/field-errors.ts";
import { MAX_PRIORITY, Priority } from "../../workflows/run-limits.ts";
import type { Settings } from "../../workflows/settings.ts";
import type { Cel, Evaluate, Expression } from "../expressions/cel.ts";
import type { ExpressionScope } from "../expressions/expression-scope.ts";
import { StepError } from "../step-error.ts";
import type { FieldProblem } from "./output-shapes.ts";
import type { DeployCheck } from "./step-compiler.ts";

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

/** Takes what is found in settings. */
export interface SettingsReport {
  onProblem(problem: FieldError): void;
  /** Called for each expression if CEL is not loaded. */
  onExpression(): void;
  onDeployCheck(check: DeployCheck): void;
  /** Called for checks whose findings prevent no deployment. */
  onWarningCheck(check: DeployCheck): void;
}

const PRIORITY = "/settings/priority";

const LIMITS: readonly LimitName[] = ["concurrency", "debounce", "rate_limit"];

/**
 * Returns null for a version whose runs begin at once.
 * @param cel Null to find out whether there are expressions.
 */
export function compileLimits(
  settings: Settings | undefined,
  cel: Cel | null,
  inputProblem: FieldProblem,
  report: SettingsReport,
): CompiledLimits | null {
  if (settings === undefined) return null;
  const { priority = 0 } = settings;
  const used = LIMITS.filter((limit) => settings[limit] !== undefined);
  if (used.length === 0 && priority === 0) return null;

  function expression(text: string, pointer: string): Expression | null {
    if (cel === null) {
      report.onExpression();
      return null;
    }
    try {
      const compiled = cel.compile(text, "anywhere");
      report.onWarningCheck(async () => unknownFields(compiled, inputProblem, pointer));
      if (compiled.steps.length === 0 && !compiled.isDynamic) return compiled;
      report.onProblem({ pointer, message: "Must not read steps: no step of the run has been executed yet." });
    } catch (error) {
      report.onProblem({ pointer, message: error instanceof Error ? error.message : String(error) });
    }
    return null;
  }

  function priorityExpression(text: string): Evaluate {
    const compiled = expression(text, PRIORITY);
    if (compiled === null) return () => null;
    report.onDeployCheck(async () => constantProblems(compiled));
    return compiled.evaluate;
  }

  const keys = new Map<LimitName, Evaluate>();
  for (const limit of used) {
    const key = settings[limit]?.key;
    const compiled = key === undefined ? null : expression(key, `/settings/${limit}/key`);
    if (compiled !== null) keys.set(limit, compiled.evaluate);
  }
  const priorityOf = typeof priority === "number" ? () => priority : priorityExpression(priority);

  return {
    settings,
    keyOf(limit, scope) {
      const key = keys.get(limit);
      return key === undefined ? null : evaluated(key, scope, `The key of ${limit}`);
    },
    priority: (scope) => checkedPriority(evaluated(priorityOf, scope, "The priority")),
  };
}

function unknownFields({ fieldsRead }: Expression, inputProblem: FieldProblem, pointer: string): FieldError[] {
  const messages = fieldsRead("input").map(inputProblem);
  return messages.flatMap((message) => (message === null ? [] : [{ pointer, message }]));
}

/** What is wrong with a priority that is the same for each run. */
function constantProblems({ pathsRead, evaluate }: Expression): FieldError[] {
  if (pathsRead().length > 0) return [];
  try {
    const value = evaluate({});
    return v.is(Priority, value) ? [] : [{ pointer: PRIORITY, message: `Must ${allowedPriority(value)}` }];
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    return [{ pointer: PRIORITY, message: error.message }];
  }
}

/** Follows "must". */
const allowedPriority = (value: JsonValue) =>
  `be a whole number from ${-MAX_PRIORITY} to ${MAX_PRIORITY}, not ${JSON.stringify(value).slice(0, 100)}.`;

function checkedPriority(value: JsonValue): number {
  const checked = v.safeParse(Priority, value);
  if (checked.success) return checked.output;
  throw startProblem(`The priority in the settings of the workflow must ${allowedPriority(value)}`);
}

function evaluated(evaluate: Evaluate, scope: ExpressionScope, what: string): JsonValue {
  try {
    return evaluate(scope);
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    throw startProblem(`${what} in the settings of the workflow cannot be evaluated: ${error.message}`);
  }
}

/** Without a field: the input fits its definition, so the setting may be what is wrong. */
const startProblem = (message: string) => invalid([{ pointer: "", message }]);

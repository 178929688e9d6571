/** Compiles actions that make the run wait for an event. The run is evicted from memory meanwhile. */
import { toReceived } from "../../app-events/app-event.ts";
import type { JsonObject, JsonValue } from "../../json.ts";
import type { EventWaitAction } from "../../services/service.ts";
import { SECOND_MS } from "../../time/units.ts";
import { type Condition, EVENT_EXAMPLE, eventCondition } from "../compile/event-condition.ts";
import { nonBooleanProblem } from "../compile/literal-conditions.ts";
import type { StepCompiler } from "../compile/step-implementation.ts";
import type { EventWait, Wait } from "../execution/step-context.ts";
import type { ExpressionScope } from "../expressions/expression-scope.ts";
import { hasTemplate } from "../expressions/template.ts";
import { invalidInputError } from "./service-errors.ts";

const CONDITION_PATH = ["service", "input", "condition"] as const;

/** @param title `SERVICE.ACTION` */
export function compileEventWait(
  action: EventWaitAction,
  title: string,
  { condition, ...input }: JsonObject,
  compiler: StepCompiler,
): Wait {
  const evaluate = compiler.template(input, ["service", "input"]);
  const holds = compileCondition(condition, compiler);
  return {
    kind: "wait",
    input: evaluate,
    event(scope): EventWait {
      const args = action.input["~standard"].validate(evaluate(scope));
      if (args instanceof Promise) throw new TypeError(`The input schema of ${title} must validate synchronously.`);
      if (args.issues) throw invalidInputError(title, args.issues);
      const { name, subject = null, lookback = 0 } = args.value;
      const matches: EventWait["matches"] = (event, onFailure) =>
        holds === null || holds({ ...scope, event: { ...toReceived(event) } }, onFailure);
      return { name, subject, lookbackMs: lookback * SECOND_MS, matches };
    },
  };
}

function compileCondition(condition: JsonValue | undefined, compiler: StepCompiler): Condition<ExpressionScope> | null {
  if (typeof condition !== "string") return null; // the action's schema reports another type
  if (hasTemplate(condition)) {
    compiler.problem(CONDITION_PATH, `Must be a CEL expression without {{ }}, such as ${EVENT_EXAMPLE}.`);
    return null;
  }
  const message = nonBooleanProblem(condition, EVENT_EXAMPLE);
  if (message !== null) compiler.whenDeployed(async () => [{ path: CONDITION_PATH, message }]);
  return eventCondition(compiler.expression(condition, CONDITION_PATH, "event"));
}

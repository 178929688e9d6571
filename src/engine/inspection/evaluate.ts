/** Evaluates an expression on a run, for previews in editors. Changes nothing. */
import { isRecord, type JsonValue, omitUndefined } from "../../json.ts";
import type { RunEvaluate, RunEvaluation } from "../../runs/inspection/evaluation.ts";
import { isForEach } from "../../workflows/step.ts";
import type { Plan } from "../compile/plan.ts";
import { type Cel, CelProblem, positionOf } from "../expressions/cel.ts";
import type { ExpressionScope, Place } from "../expressions/expression-scope.ts";
import { hasTemplate, parseTemplate, TemplateProblem } from "../expressions/template.ts";
import { toVisibleStep } from "../progress/step-state.ts";
import { StepError } from "../step-error.ts";
import type { InspectedRun } from "./inspected-run.ts";
import { previewed } from "./json-preview.ts";
import { readyAt, scopeOf, scopesOf, viewStep } from "./step-view.ts";

const MAX_VALUE_CHARS = 16 * 1024;

type Text = Pick<RunEvaluate, "expression" | "template">;

/** Indexes of the steps that the expression may read: those before a step, or all. */
export function stepsBefore(plan: Plan, index: number | undefined): number[] {
  if (index === undefined) return [...plan.steps.keys()];
  const found = new Set<number>([index]);
  for (const one of found) for (const { from } of plan.graph.incoming[one] ?? []) found.add(from);
  for (const one of plan.steps.keys()) if (plan.graph.isUnreachable(one)) found.add(one);
  return [...found];
}

export function placeOf(plan: Plan, index: number | undefined): Place {
  const step = index === undefined ? undefined : plan.steps[index]?.step;
  if (step === undefined) return "anywhere";
  return step.loop !== undefined ? "loop" : isForEach(step) ? "for_each" : "anywhere";
}

/**
 * The variables of an expression.
 * @param index Index of the step before which it is evaluated.
 * @param now Milliseconds since 1970, for a step that has not become ready.
 */
export function scopeAt(
  run: InspectedRun,
  plan: Plan,
  index: number | undefined,
  item: number,
  now: number,
): ExpressionScope {
  const seen = stepsBefore(plan, index).filter((one) => one !== index);
  const steps: Record<string, ExpressionScope["steps"][string]> = Object.create(null);
  for (const one of seen) {
    const state = run.state(one);
    const key = plan.steps[one]?.step.key;
    if (key === undefined || state === undefined || state.status === "running" || state.status === "waiting") continue;
    steps[key] = { ...toVisibleStep(state), ...errorsOf(plan, one, state.errors) };
  }
  const view = index === undefined ? null : viewStep(run, index);
  if (view === null) {
    const first = { run, plan, index: plan.graph.start ?? 0 };
    const any = viewStep(run, first.index);
    if (any === null) throw new RangeError("The run has no steps.");
    const own = run.state(first.index)?.output;
    const base = scopesOf(any, [first.index]).scopeAt(first.index, now);
    const input = isRecord(own) && plan.graph.start !== undefined ? (own as ExpressionScope["input"]) : base.input; // JSON
    return { ...base, input, steps, now: new Date(now) };
  }
  const hasBegun = run.state(view.index) !== undefined;
  const part = isForEach(view.step) || view.compiled.loop !== undefined ? item : undefined;
  const known = hasBegun ? scopeOf(view, part) : "not_started";
  const base = typeof known === "string" ? scopesOf(view).scopeAt(view.index, hasBegun ? readyAt(view) : now) : known;
  return { ...base, steps };
}

function errorsOf(plan: Plan, index: number, errors: ExpressionScope["steps"][string]["errors"]) {
  return plan.steps[index]?.policies.forEach === undefined ? {} : { errors: errors ?? [] };
}

export function evaluateText(
  { expression, template }: Text,
  place: Place,
  scope: ExpressionScope,
  cel: Cel,
): RunEvaluation {
  let start = 0;
  try {
    return shown(cel.shareBudget(() => (expression === undefined ? fill(template ?? "") : valueIn(expression, 0))));
  } catch (error) {
    if (error instanceof TemplateProblem) return { error: { message: error.message } };
    if (!(error instanceof CelProblem) && !(error instanceof StepError)) throw error;
    const at = positionOf(error);
    return { error: { message: error.message, ...omitUndefined({ at: at === undefined ? undefined : start + at }) } };
  }

  function valueIn(text: string, at: number): JsonValue {
    start = at;
    return cel.compile(text, place).evaluate(scope);
  }

  function fill(text: string): JsonValue {
    if (!hasTemplate(text)) return text;
    const parts = parseTemplate(text);
    const values = parts.map((part) => (typeof part === "string" ? part : valueIn(part.expression, part.at)));
    if (values.length === 1) return values[0] ?? null;
    return boundedText(values);
  }
}

/** Longest text of a template: several values in it may be long. */
const MAX_TEXT_CHARS = 64 * 1024 * 1024;

function boundedText(values: readonly JsonValue[]): string {
  let text = "";
  for (const value of values) {
    text += typeof value === "string" ? value : JSON.stringify(value);
    if (text.length > MAX_TEXT_CHARS) throw new StepError("input_limit", "The text is too long.");
  }
  return text;
}

function shown(value: JsonValue): RunEvaluation {
  return { type: typeOf(value), ...previewed(value, MAX_VALUE_CHARS) };
}

function typeOf(value: JsonValue): NonNullable<RunEvaluation["type"]> {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  const type = typeof value;
  return type === "boolean" || type === "number" || type === "string" ? type : "object";
}

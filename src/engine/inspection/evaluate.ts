/** Evaluates expressions on a run, for previews in editors. Changes nothing. */
import { type JsonValue, omitUndefined } from "../../json.ts";
import type { ExpressionResult, ExpressionToEvaluate } from "../../runs/inspection/evaluation.ts";
import { type Cel, CelProblem, rangeOf } from "../expressions/cel.ts";
import type { Place } from "../expressions/expression-scope.ts";
import { hasTemplate, parseTemplate, TemplateProblem } from "../expressions/template.ts";
import { StepError } from "../step-error.ts";
import type { EvaluationScope } from "./evaluation-scope.ts";
import { type CompiledPart, compileParts, joinParts } from "./expression-value.ts";
import { previewed } from "./json-preview.ts";

const MAX_VALUE_CHARS = 16 * 1024;

export interface EvaluationContext {
  readonly cel: Cel;
  /** Place of the texts that name none. */
  readonly place: Place;
  readonly scopeAt: (place: Place) => EvaluationScope;
  /** Maximum length of a value as JSON, in characters. @default 16,384 */
  readonly maxValueChars: number | undefined;
}

/** They share one budget. Other requests are handled between them and within them, because a value may be large. */
export async function evaluateTexts(
  texts: readonly ExpressionToEvaluate[],
  context: EvaluationContext,
): Promise<readonly ExpressionResult[]> {
  const { cel, scopeAt, place } = context;
  const spending = { operations: 0 };
  const results: ExpressionResult[] = [];
  const parts = { ...context, shown: createShown(context.maxValueChars), write: createWrite() };
  for (const text of texts) {
    await cel.pace.nextTurn();
    // The list of a step with for_each has a budget of its own.
    const evaluation = evaluateText(text, scopeAt(text.place ?? place), parts);
    for (;;) {
      const step = cel.shareBudget(() => evaluation.next(), spending);
      if (step.done === true) {
        results.push(step.value);
        break;
      }
      await cel.pace.nextTurn();
    }
  }
  return results;
}

interface TextParts extends EvaluationContext {
  readonly shown: Shown;
  readonly write: (value: JsonValue) => string;
}

/** Yields after what may take long. */
function* evaluateText(
  { expression, template = "", place }: ExpressionToEvaluate,
  scope: EvaluationScope,
  context: TextParts,
): Generator<undefined, ExpressionResult> {
  const { cel, shown, write } = context;
  let start = 0;
  try {
    if (expression === undefined && !hasTemplate(template)) return shown(template);
    const parts = expression === undefined ? parseTemplate(template) : [{ expression, at: 0 }];
    const isAutoAllowed = expression === undefined;
    const compiled = compileParts(parts, place ?? context.place, cel, { isAutoAllowed, onPart: (at) => (start = at) });
    const value = yield* joinParts(
      compiled,
      (part) => {
        start = part.at;
        return valueOfPart(part, scope);
      },
      cel,
      write,
    );
    if (compiled.some((part) => typeof part !== "string" && part.isAuto)) return { filled_by_model: true };
    if (typeof value === "object") yield;
    return shown(value);
  } catch (error) {
    return failed(error, start, template.length);
  }
}

function valueOfPart(
  { expression }: Exclude<CompiledPart, string>,
  { variables, missing }: EvaluationScope,
): JsonValue {
  if (missing.size > 0) {
    for (const [name = ""] of expression.pathsRead()) {
      const reason = missing.get(name);
      if (reason !== undefined) throw new StepError("expression_failed", reason);
    }
  }
  return expression.evaluate(variables);
}

/** @param start Index of the expression in the text. */
function failed(error: unknown, start: number, length: number): ExpressionResult {
  if (error instanceof TemplateProblem) {
    return { error: { message: error.message, invalid: true, at: error.at, end: length } };
  }
  if (!(error instanceof CelProblem) && !(error instanceof StepError)) throw error;
  const range = rangeOf(error);
  const at = range === undefined ? undefined : start + range.start;
  const end = range === undefined ? undefined : start + range.end;
  return { error: { message: error.message, invalid: error instanceof CelProblem, ...omitUndefined({ at, end }) } };
}

type Shown = (value: JsonValue) => ExpressionResult;

/** Several expressions of one call may return the same large value: its start is written once. */
function createShown(maxChars = MAX_VALUE_CHARS): Shown {
  const known = new Map<JsonValue, ExpressionResult>();
  return (value) => {
    const found = known.get(value) ?? { type: typeOf(value), ...previewed(value, maxChars) };
    if (typeof value === "object") known.set(value, found);
    return found;
  };
}

/** Templates of one call may contain the same large value: its text is written once. Only that of the last one is kept. */
function createWrite(): (value: JsonValue) => string {
  let last: { readonly value: JsonValue; readonly text: string } | undefined;
  return (value) => {
    if (last?.value === value) return last.text;
    last = { value, text: JSON.stringify(value) };
    return last.text;
  };
}

function typeOf(value: JsonValue): NonNullable<ExpressionResult["type"]> {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  const type = typeof value;
  return type === "boolean" || type === "number" || type === "string" ? type : "object";
}

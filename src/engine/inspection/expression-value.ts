/** Evaluates an expression or a template that no step contains. */
import type { JsonValue } from "../../json.ts";
import { autoDescription } from "../expressions/auto-call.ts";
import type { Cel, Expression } from "../expressions/cel.ts";
import type { ExpressionScope, Place } from "../expressions/expression-scope.ts";
import { CHARS_PER_OPERATION } from "../expressions/operation-budget.ts";
import { hasTemplate, type Part, parseTemplate } from "../expressions/template.ts";
import { StepError } from "../step-error.ts";

/** A compiled part of a text. */
export type CompiledPart =
  | string
  | {
      readonly expression: Expression;
      /** Its index in the text. */
      readonly at: number;
      /** Whether it describes a value that a model fills in. */
      readonly isAuto: boolean;
    };

export interface CompileSettings {
  /** Whether a model may fill in values. */
  readonly isAutoAllowed: boolean;
  /** Called with the index of each expression before it is compiled. */
  readonly onPart?: (at: number) => void;
}

/** @throws CelProblem if an expression is invalid */
export function compileParts(
  parts: readonly Part[],
  place: Place,
  cel: Cel,
  { isAutoAllowed, onPart }: CompileSettings,
): readonly CompiledPart[] {
  return parts.map((part) => {
    if (typeof part === "string") return part;
    const auto = isAutoAllowed ? autoDescription(part.expression) : undefined;
    const at = part.at + (auto?.at ?? 0);
    onPart?.(at);
    return { expression: cel.compile(auto?.expression ?? part.expression, place), at, isAuto: auto !== undefined };
  });
}

/** Longest text of a template: several values in it may be long. */
const MAX_TEXT_CHARS = 64 * 1024 * 1024;

/**
 * Evaluates the parts of a text in turn, so that one which becomes too long costs no more than its limit. Yields after what may
 * take long: evaluating a part, and writing its value.
 * @param write Returns the JSON text of a value.
 * @throws StepError
 */
export function* joinParts(
  parts: readonly CompiledPart[],
  evaluate: (part: Exclude<CompiledPart, string>) => JsonValue,
  cel: Cel,
  write: (value: JsonValue) => string = JSON.stringify,
): Generator<undefined, JsonValue> {
  const [only] = parts;
  // A single expression keeps the type of its value.
  if (parts.length === 1 && typeof only === "object") return evaluate(only);
  let text = "";
  for (const part of parts) {
    const value = typeof part === "string" ? part : evaluate(part);
    if (typeof value === "object") yield;
    const piece = typeof value === "string" ? value : write(value);
    cel.charge(Math.floor(piece.length / CHARS_PER_OPERATION));
    text += piece;
    if (text.length > MAX_TEXT_CHARS) throw new StepError("input_limit", "The text is too long.");
    if (typeof value === "object") yield;
  }
  return text;
}

/**
 * The value of an expression, or of a template if it has braces.
 * @throws TemplateProblem or CelProblem if the text is invalid; StepError if it has no value
 */
export function valueOfText(text: string, place: Place, scope: ExpressionScope, cel: Cel): JsonValue {
  const parts = hasTemplate(text) ? parseTemplate(text) : [{ expression: text, at: 0 }];
  const compiled = compileParts(parts, place, cel, { isAutoAllowed: false });
  const joined = joinParts(compiled, ({ expression }) => expression.evaluate(scope), cel);
  for (;;) {
    const step = joined.next();
    if (step.done === true) return step.value;
  }
}

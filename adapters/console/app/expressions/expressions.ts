/**
 * Expressions and templates, by the engine's own code: one truth about what is a mistake, and what comes out. A chunk of
 * its own, loaded with the first expression of the page.
 */
import { CelProblem, createCel } from "../../../../src/engine/expressions/cel.ts";
import type { ExpressionScope, Place } from "../../../../src/engine/expressions/expression-scope.ts";
import { hasTemplate, type Part, parseTemplate, TemplateProblem } from "../../../../src/engine/expressions/template.ts";
import { StepError } from "../../../../src/engine/step-error.ts";
import type { JsonValue } from "../../../../src/json.ts";
import { systemClock } from "../../../../src/time/system-clock.ts";
import type { EditorProblem } from "../code-editor/completion.ts";

/** `expression` is CEL; `template` a text with `{{ expressions }}`; `either` is a template if it has braces. */
export type Syntax = "expression" | "template" | "either";

/** What an expression gives: a value, or why there is none. */
export type Outcome = { readonly value: JsonValue } | { readonly reason: string };

const cel = createCel(systemClock);

/** A model fills these in. They are no part of the language. */
const AUTO = /^\s*auto\s*\(([\s\S]*)\)\s*$/;

/** Regular expressions need an engine that is loaded only for them. */
export const prepare = (text: string): Promise<void> => cel.prepare(text);

export function problemsOf(text: string, syntax: Syntax, place: Place): readonly EditorProblem[] {
  if (isPlain(text, syntax)) return text.trim() === "" ? [] : expressionProblems(text, 0, place);
  try {
    return parseTemplate(text).flatMap((part) => (typeof part === "string" ? [] : partProblems(part, place)));
  } catch (error) {
    if (!(error instanceof TemplateProblem)) throw error;
    const from = text.lastIndexOf("{{");
    return [{ message: error.message, from, to: text.length }];
  }
}

const isPlain = (text: string, syntax: Syntax) =>
  syntax === "expression" || (syntax === "either" && !hasTemplate(text));

function partProblems({ expression, at }: Exclude<Part, string>, place: Place): readonly EditorProblem[] {
  const description = AUTO.exec(expression)?.[1];
  if (description === undefined) return expressionProblems(expression, at, place);
  return expressionProblems(description, at + expression.indexOf("(") + 1, place);
}

function expressionProblems(text: string, offset: number, place: Place): readonly EditorProblem[] {
  try {
    cel.compile(text, place);
    return [];
  } catch (error) {
    if (!(error instanceof CelProblem)) throw error;
    const { start, end } = rangeOf(error.cause) ?? { start: 0, end: text.length };
    return [{ message: error.message, from: offset + start, to: offset + Math.max(end, start + 1) }];
  }
}

/** Errors of the library say where they are. */
function rangeOf(error: unknown): { readonly start: number; readonly end: number } | null {
  if (typeof error !== "object" || error === null || !("range" in error)) return null;
  const { range } = error;
  if (typeof range !== "object" || range === null || !("start" in range) || !("end" in range)) return null;
  const { start, end } = range;
  return typeof start === "number" && typeof end === "number" ? { start, end } : null;
}

/** @param text Without mistakes, and prepared. */
export function outcomeOf(text: string, syntax: Syntax, place: Place, scope: Partial<ExpressionScope>): Outcome {
  try {
    return { value: cel.shareBudget(() => evaluate(text, syntax, place, scope)) };
  } catch (error) {
    if (error instanceof StepError || error instanceof CelProblem || error instanceof TemplateProblem)
      return { reason: error.message };
    throw error;
  }
}

function evaluate(text: string, syntax: Syntax, place: Place, scope: Partial<ExpressionScope>): JsonValue {
  if (isPlain(text, syntax)) return cel.compile(text, place).evaluate(scope);
  const parts = parseTemplate(text);
  const values = parts.map((part) => (typeof part === "string" ? part : partValue(part.expression, place, scope)));
  const [only] = values;
  // A single expression keeps the type of its value.
  if (parts.length === 1 && only !== undefined && typeof parts[0] !== "string") return only;
  return values.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join("");
}

function partValue(expression: string, place: Place, scope: Partial<ExpressionScope>): JsonValue {
  const description = AUTO.exec(expression)?.[1];
  if (description === undefined) return cel.compile(expression, place).evaluate(scope);
  return `⟨${String(cel.compile(description, place).evaluate(scope))}⟩`;
}

/** The expressions of an open step that are to be evaluated, as texts that say all of them. Pure. */
import { hasTemplate } from "../../../../src/engine/expressions/template.ts";
import type { ExpressionToEvaluate } from "../../../../src/runs/inspection/evaluation.ts";

/** `expression` is CEL; `template` a text with `{{ expressions }}`; `either` is a template if it has braces. */
export type Syntax = "expression" | "template" | "either";

/** Where an expression of a step stands. */
export type EvaluatedPlace = NonNullable<ExpressionToEvaluate["place"]>;

/** Limits of the server for one call. The fields behind them are without a result. */
const MAX_CHARS = 32_768;
const MAX_TOTAL_CHARS = 262_144;
const MAX_EXPRESSIONS = 200;

/** @returns Null if there is nothing to evaluate, or too much. */
export function wantedText(text: string, syntax: Syntax, place: EvaluatedPlace): string | null {
  if (text.trim() === "" || text.length > MAX_CHARS) return null;
  if (hasTemplate(text) && syntax !== "expression") return JSON.stringify({ template: text, place });
  return syntax === "template" ? null : JSON.stringify({ expression: text, place });
}

/** Those of one call, each once. */
export function boundedTexts(wanted: Iterable<string>): readonly string[] {
  const found: string[] = [];
  let total = 0;
  for (const one of new Set(wanted)) {
    total += one.length;
    if (found.length === MAX_EXPRESSIONS || total > MAX_TOTAL_CHARS) break;
    found.push(one);
  }
  return found;
}

export interface WantedExpressions {
  /** @returns Call it when the result is no longer shown. */
  add(wanted: string): () => void;
  subscribe(listener: () => void): () => void;
  /** Those of one call. The same list until something is added or taken away. */
  list(): readonly string[];
}

export function createWantedExpressions(): WantedExpressions {
  const counts = new Map<string, number>();
  const listeners = new Set<() => void>();
  let listed: readonly string[] = [];

  function change(wanted: string, by: number): void {
    const count = (counts.get(wanted) ?? 0) + by;
    if (count > 0) counts.set(wanted, count);
    else counts.delete(wanted);
    listed = boundedTexts(counts.keys());
    for (const listener of listeners) listener();
  }

  return {
    add(wanted) {
      change(wanted, 1);
      return () => change(wanted, -1);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    list: () => listed,
  };
}

/** Regular expressions in expressions. Uses RE2, as CEL requires, which matches in linear time. */
import { type ASTNode, type Environment, EvaluationError } from "@marcbachmann/cel-js";
import { LRUCache } from "lru-cache";
import type { RE2JS } from "re2js";
import { compilePattern, loadPatterns, matchCost, type PatternEngine } from "../bounded-patterns.ts";
import type { Macro, MacroCall } from "../cel-internals.ts";
import type { Budget } from "../operation-budget.ts";

export interface Patterns {
  /** Loads RE2 if the text may contain a pattern. It is as large as the rest of the language. */
  prepare(text: string): Promise<void>;
  /** Registers `text.matches(pattern)` and `matches(text, pattern)`. */
  register(environment: Environment): void;
}

/** Maximum number of cached patterns that are only known at run time. */
const MAX_CACHED_PATTERNS = 200;

export function createPatterns(budget: Budget): Patterns {
  const known = new LRUCache<string, RE2JS>({ max: MAX_CACHED_PATTERNS });
  let engine: PatternEngine | undefined;

  function compileOnce(pattern: string, node: ASTNode): RE2JS {
    const before = known.get(pattern);
    if (before !== undefined) return before;
    if (engine === undefined) throw new Error("A pattern was compiled before RE2 was loaded.");
    try {
      const regular = compilePattern(engine, pattern, budget.spend);
      known.set(pattern, regular);
      return regular;
    } catch (cause) {
      if (cause instanceof EvaluationError) throw cause; // the budget is exhausted
      const message = `Invalid regular expression: ${cause instanceof Error ? cause.message : String(cause)}`;
      throw new EvaluationError({ code: "invalid_regular_expression", message, node, cause });
    }
  }

  return {
    async prepare(text) {
      if (engine === undefined && text.includes("matches")) engine = await loadPatterns();
    },
    register(environment) {
      // Macros are looked up by name first, so they hide the library's `string.matches`.
      environment.registerFunction("list.matches(ast): bool", ({ receiver, args: [pattern = receiver] }: MacroCall) =>
        matches(receiver, pattern),
      );
      environment.registerFunction("matches(ast, ast): bool", ({ ast, args: [text = ast, pattern = ast] }: MacroCall) =>
        matches(text, pattern),
      );
    },
  };

  function matches(text: ASTNode, pattern: ASTNode): Macro {
    return {
      async: false,
      typeCheck(checker, _macro, context) {
        for (const node of [text, pattern]) {
          const { type, kind } = checker.check(node, context);
          if (type !== "string" && kind !== "dyn") throw notText(type, node);
        }
        const { op, args: source } = pattern;
        if (op === "value" && typeof source === "string") budget.within(() => compileOnce(source, pattern));
        return checker.getType("bool");
      },
      evaluate(evaluator, _macro, context) {
        const value = evaluator.run(text, context);
        const source = evaluator.run(pattern, context);
        if (typeof value !== "string") throw notText(evaluator.debugType(value).type, text);
        if (typeof source !== "string") throw notText(evaluator.debugType(source).type, pattern);
        const regular = compileOnce(source, pattern);
        budget.spend(matchCost(regular, value));
        return regular.test(value);
      },
    };
  }
}

function notText(type: string, node: ASTNode): EvaluationError {
  return new EvaluationError({ code: "no_matching_overload", message: `matches() needs strings, not ${type}`, node });
}

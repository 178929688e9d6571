/** Regular expressions in workflows and their data. RE2 matches in linear time; compilation is limited here. */
import type { RE2JS } from "re2js";
import { groupedDigits } from "../../messages/grouped-digits.ts";

export type PatternEngine = typeof RE2JS;

/** Loaded on demand: it is as large as the rest of the expression language. */
export const loadPatterns = async (): Promise<PatternEngine> => (await import("re2js")).RE2JS;

const MAX_PATTERN_CHARS = 1_000;
/** Maximum number of characters and classes after expanding each `{n}`. */
const MAX_EXPANDED_CHARS = 10_000;

/**
 * Costs in operations of the expression budget, based on the slowest kind of class: case-insensitive with many letters.
 */
const COSTS = { pattern: 300, character: 500, expandedCharacter: 30 };
const MATCH_COST = 20;
/** Number of RE2 steps that take as long as one operation. */
const STEPS_PER_OPERATION = 16;

/**
 * Compiles a pattern.
 * @param spend Charges the cost before compiling; throws if the budget is exceeded.
 * @throws Error with the reason, if the pattern is rejected.
 */
export function compilePattern(engine: PatternEngine, source: string, spend: (operations: number) => void): RE2JS {
  if (source.length > MAX_PATTERN_CHARS) {
    throw new Error(
      `it has ${groupedDigits(source.length)} characters; the limit is ${groupedDigits(MAX_PATTERN_CHARS)}`,
    );
  }
  const size = expandedLength(source);
  if (size > MAX_EXPANDED_CHARS) {
    throw new Error(
      `its expanded repetitions have ${groupedDigits(size)} characters; the limit is ${groupedDigits(MAX_EXPANDED_CHARS)}`,
    );
  }
  spend(COSTS.pattern + source.length * COSTS.character + size * COSTS.expandedCharacter);
  try {
    return engine.compile(source);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(reason.replace(/^error parsing regexp: /, ""), { cause });
  }
}

/** Returns the cost of matching a string, in operations. */
export const matchCost = (pattern: RE2JS, text: string): number =>
  MATCH_COST + (text.length * pattern.programSize()) / STEPS_PER_OPERATION;

/** Matches an escape, a repetition count, or a character. */
const PART = /\\[pPx]\{\w{1,40}\}|\\[\s\S]|\{(\d{1,9})(?:,(\d{0,9}))?\}|[\s\S]/gu;

/**
 * Returns the length of a pattern after expanding repetitions such as `x{3}`, as RE2 does. Also counts a quoted `{3}`.
 */
function expandedLength(source: string): number {
  const outer: number[] = [];
  let total = 0;
  let last = 0;
  let isClass = false;
  for (const [part, least, most] of source.matchAll(PART)) {
    if (isClass) isClass = part !== "]";
    else if (part === "(") {
      outer.push(total);
      total = 0;
      last = 0;
    } else if (part === ")") {
      last = total + 1;
      total = last + (outer.pop() ?? 0);
    } else if (least !== undefined) {
      const times = Math.max(Number(least), Number(most ?? 0), 1);
      total += last * (times - 1);
      last *= times;
    } else {
      isClass = part === "[";
      last = 1;
      total += last;
    }
  }
  return outer.reduce((sum, size) => sum + size, total);
}

/** Regular expressions from workflows and their data: RE2, whose matching is linear, with a bound on compiling. */
import type { RE2JS } from "re2js";

export type PatternEngine = typeof RE2JS;

/** As large as all the rest of the expression language: loaded when there is a pattern. */
export const loadPatterns = async (): Promise<PatternEngine> => (await import("re2js")).RE2JS;

const MAX_LENGTH = 1_000;
/** Characters and classes once each `{n}` is written out. */
const MAX_WRITTEN_OUT = 10_000;

/** In operations of the budget of expressions: the dearest class (case-insensitive, of many letters) sets the price. */
const COSTS = { pattern: 300, character: 500, writtenOut: 30 };
const MATCH_COST = 20;
/** Steps of the engine that take the time of one operation. */
const STEPS = 16;

/**
 * Compiles a pattern.
 * @param spend Pays for it before the work begins; throws when that is too much.
 * @throws Error that says why the pattern is refused.
 */
export function compilePattern(engine: PatternEngine, source: string, spend: (operations: number) => void): RE2JS {
  if (source.length > MAX_LENGTH) {
    throw new Error(`it has ${source.length.toLocaleString("en")} characters; the limit is ${count(MAX_LENGTH)}`);
  }
  const size = writtenOut(source);
  if (size > MAX_WRITTEN_OUT) {
    throw new Error(`its expanded repetitions have ${count(size)} characters; the limit is ${count(MAX_WRITTEN_OUT)}`);
  }
  spend(COSTS.pattern + source.length * COSTS.character + size * COSTS.writtenOut);
  try {
    return engine.compile(source);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(reason.replace(/^error parsing regexp: /, ""), { cause });
  }
}

/** What matching a text costs, in the same operations. */
export const matchCost = (pattern: RE2JS, text: string): number =>
  MATCH_COST + (text.length * pattern.programSize()) / STEPS;

const count = (value: number) => value.toLocaleString("en");

/** An escape, how often the part before is repeated, or a character. */
const PART = /\\[pPx]\{\w{1,40}\}|\\[\s\S]|\{(\d{1,9})(?:,(\d{0,9}))?\}|[\s\S]/gu;

/** How long a pattern is with `x{3}` as `xxx`, which is what the engine compiles. A quoted `{3}` counts as well. */
function writtenOut(source: string): number {
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

/** Compiles and evaluates CEL, the language of conditions and `{{ }}`. Loaded on first use. https://cel.dev */
import type { JsonValue } from "../../json.ts";
import type { Clock } from "../../ports/clock.ts";
import { StepError } from "../step-error.ts";
import { type CelEnvironment, createEnvironment } from "./environment.ts";
import { createPace, type Pace } from "./event-loop-pace.ts";
import { type ExpressionScope, namesAt, type Place } from "./expression-scope.ts";
import { createPatterns } from "./functions/re2-patterns.ts";
import { toJson } from "./functions/to-json.ts";
import { conversionHint, explain, hintOf, isBraced } from "./hints.ts";
import { createBudget, type Spending } from "./operation-budget.ts";
import { fieldsRead, type KnownVariable, pathsRead, type StepPath, type StepsRead, stepsRead } from "./step-paths.ts";

/** Evaluates a compiled expression. @throws StepError `expression_failed`, with the position. */
export type Evaluate = (scope: ExpressionScope) => JsonValue;

export interface Expression extends StepsRead {
  /** Evaluates it with the variables of its place. @throws StepError `expression_failed`, with the position. */
  readonly evaluate: (scope: Partial<ExpressionScope>) => JsonValue;
  /** Computes which fields of steps or of the input it reads. */
  fieldsRead(variable: KnownVariable): readonly StepPath[];
  /** Computes which variables it reads, and how far into each. */
  pathsRead(): readonly StepPath[];
}

export interface Cel {
  /** Loads what the expressions in this text may need. Call it before `compile`, with any text that contains them. */
  prepare(text: string): Promise<void>;
  /** @throws CelProblem if it cannot be compiled. */
  compile(text: string, place: Place): Expression;
  /** Shared by all expressions. */
  readonly pace: Pace;
  /** Evaluates the expressions of one step, which share a budget with the calls that have the same `earlier`. */
  shareBudget<T>(work: () => T, earlier?: Spending): T;
  /** Charges the shared budget for what is done with the values, such as joining texts. */
  charge(operations: number): void;
}

/** Maximum number of characters searched for a hint. */
const MAX_HINTED_CHARS = 10_000;

/** A text is not a valid expression. The message contains the position. */
export class CelProblem extends Error {
  override readonly name = "CelProblem";
}

export function createCel(clock: Clock): Cel {
  const budget = createBudget();
  const patterns = createPatterns(budget);
  const environments = new Map<Place, CelEnvironment>();

  function environmentOf(place: Place): CelEnvironment {
    const known = environments.get(place);
    if (known !== undefined) return known;
    const created = createEnvironment(namesAt(place), budget, patterns);
    environments.set(place, created);
    return created;
  }

  function parse(text: string, place: Place) {
    try {
      return environmentOf(place).parse(text);
    } catch (error) {
      if (isStackOverflow(error)) {
        throw new CelProblem(`The expression is nested too deeply, in ${quoted(text)}`, { cause: error });
      }
      const reason = withPosition(error, text);
      const hint = hintOf(reason, text.slice(0, MAX_HINTED_CHARS), [...namesAt(place), "now"]);
      throw new CelProblem(isBraced(text) ? hint.trim() : hint === "" ? reason : `${reason}.${hint}`, { cause: error });
    }
  }

  return {
    prepare: patterns.prepare,
    pace: createPace(budget.spent, clock),
    shareBudget: budget.shareBudget,
    charge: budget.charge,
    compile(text, place) {
      const parsed = parse(text, place);
      return {
        ...stepsRead(parsed.ast),
        fieldsRead: (variable) => fieldsRead(parsed.ast, variable),
        pathsRead: () => pathsRead(parsed.ast, [...namesAt(place), "now"]),
        evaluate(scope) {
          try {
            const value = budget.within(() => parsed({ ...scope }));
            return toJson(value, budget.charge);
          } catch (error) {
            throw new StepError("expression_failed", withPosition(error, text), { cause: error });
          }
        },
      };
    },
  };
}

/** Where in the text of an expression it is invalid or fails, from 0. */
export interface ErrorRange {
  readonly start: number;
  /** After the last character. */
  readonly end: number;
}

/** Returns undefined if that is not known. */
export function rangeOf({ cause }: Error): ErrorRange | undefined {
  if (!(cause instanceof Error)) return undefined;
  const { range } = cause as Error & { range?: ErrorRange }; // errors of the CEL library have it
  return range === undefined ? undefined : { start: range.start, end: Math.max(range.end, range.start + 1) };
}

/** The library's parser counts the depth of brackets, but not of operators before a value, such as `!!!!true`. */
function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && /call stack|recursion/i.test(error.message);
}

/** `No such key: total, at position 6 of "input.total"`. */
function withPosition(error: unknown, text: string): string {
  if (!(error instanceof Error)) return String(error);
  // Errors of the CEL library have these properties.
  const { summary, range } = error as Error & { summary?: string; range?: { start: number } };
  // The library reports an undefined size for empty lists.
  const reason = explain((summary ?? error.message).replace(/>= size undefined$/, ">= size 0"));
  const place = range === undefined ? `in ${quoted(text)}` : `at position ${range.start + 1} of ${quoted(text)}`;
  return `${reason}, ${place}${conversionHint(reason)}`;
}

const quoted = (text: string) => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);

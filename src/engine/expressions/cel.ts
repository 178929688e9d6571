/** CEL, the language of conditions and `{{ }}`: compiles and evaluates. Loaded on first use. https://cel.dev */

import type { ASTNode } from "@marcbachmann/cel-js";
import type { JsonValue } from "../../json.ts";
import type { Clock } from "../../ports/clock.ts";
import { StepError } from "../step-error.ts";
import { nodesOf } from "./cel-internals.ts";
import { type CelEnvironment, createEnvironment } from "./environment.ts";
import { createPace, type Pace } from "./event-loop-pace.ts";
import { type ExpressionScope, LOOP_NAMES, NAMES } from "./expression-scope.ts";
import { createPatterns } from "./functions/re2-patterns.ts";
import { toJson } from "./functions/to-json.ts";
import { hintOf } from "./hints.ts";
import { createBudget } from "./operation-budget.ts";

/** A compiled expression. @throws StepError `expression_failed`, with where. */
export type Evaluate = (scope: ExpressionScope) => JsonValue;

export interface Expression {
  readonly evaluate: Evaluate;
  /** Keys of the steps that it names as `steps.KEY` or `steps["KEY"]`. */
  readonly steps: readonly string[];
  /** Whether it reads `steps` in another way, too: which of them only the run tells. */
  readonly isDynamic: boolean;
}

export interface Cel {
  /** Loads what the expressions in this text may need; any text that holds them will do. Goes before `compile`. */
  prepare(text: string): Promise<void>;
  /** @throws CelProblem when it cannot be compiled. */
  compile(text: string, inLoop: boolean): Expression;
  /** Of all its expressions. */
  readonly pace: Pace;
  /** Does the work of a step: its expressions may do so much together. */
  together<T>(work: () => T): T;
}

/** Characters of an expression that are looked at for what was meant. */
const MAX_HINTED_LENGTH = 10_000;

/** Why a text is no expression; the message says where. */
export class CelProblem extends Error {
  override readonly name = "CelProblem";
}

export function createCel(clock: Clock): Cel {
  const budget = createBudget();
  const patterns = createPatterns(budget);
  let plain: CelEnvironment | undefined;
  let looping: CelEnvironment | undefined;

  function environment(inLoop: boolean): CelEnvironment {
    if (inLoop) {
      looping ??= createEnvironment([...NAMES, ...LOOP_NAMES], budget, patterns);
      return looping;
    }
    plain ??= createEnvironment(NAMES, budget, patterns);
    return plain;
  }

  function parse(text: string, inLoop: boolean) {
    try {
      return environment(inLoop).parse(text);
    } catch (error) {
      const reason = located(error, text);
      const hint = hintOf(reason, text.slice(0, MAX_HINTED_LENGTH), [...NAMES, "now", ...(inLoop ? LOOP_NAMES : [])]);
      throw new CelProblem(hint === "" ? reason : `${reason}.${hint}`, { cause: error });
    }
  }

  return {
    prepare: patterns.prepare,
    pace: createPace(budget.spent, clock),
    together: budget.together,
    compile(text, inLoop) {
      const parsed = parse(text, inLoop);
      return {
        ...stepsRead(parsed.ast),
        evaluate(scope) {
          try {
            return toJson(budget.within(() => parsed({ ...scope })));
          } catch (error) {
            throw new StepError("expression_failed", located(error, text), { cause: error });
          }
        },
      };
    },
  };
}

/** `No such key: total, at position 6 of "input.total"`. */
function located(error: unknown, text: string): string {
  if (!(error instanceof Error)) return String(error);
  const { summary, range } = error as Error & { summary?: string; range?: { start: number } }; // CEL's own errors have them
  // Of an empty list the library says nothing else.
  const reason = (summary ?? error.message).replace(/>= size undefined$/, ">= size 0");
  return range === undefined
    ? `${reason}, in ${quoted(text)}`
    : `${reason}, at position ${range.start + 1} of ${quoted(text)}`;
}

const quoted = (text: string) => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);

function stepsRead(root: ASTNode): Pick<Expression, "steps" | "isDynamic"> {
  const named = new Set<string>();
  let others = 0;
  for (const node of nodesOf(root)) {
    const key = stepKey(node);
    if (key !== undefined) {
      named.add(key);
      others--; // for the `steps` within it
    }
    if (isSteps(node)) others++;
  }
  return { steps: [...named], isDynamic: others > 0 };
}

const isSteps = ({ op, args }: ASTNode) => op === "id" && args === "steps";

function stepKey({ op, args }: ASTNode): string | undefined {
  if (op !== "." && op !== ".?" && op !== "[]" && op !== "[?]") return undefined;
  const [from, name] = args;
  if (!isSteps(from)) return undefined;
  const key = typeof name === "string" ? name : name.op === "value" ? name.args : undefined;
  return typeof key === "string" ? key : undefined;
}

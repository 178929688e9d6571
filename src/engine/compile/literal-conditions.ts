/** Reports conditions that are a literal with which their step can never succeed, or their event never match. */
import type { Step } from "../../workflows/step.ts";
import type { Path, Problem, StepCompiler } from "./step-implementation.ts";

/** A number, a string or null, which is not a condition. */
const NON_BOOLEAN = /^\s*(?:null|-?\d+(?:\.\d+)?u?|"[^"\\]*"|'[^'\\]*')\s*$/;
const FALSE = /^\s*false\s*$/;

export function checkLiteralConditions(step: Step, compiler: StepCompiler): void {
  const problems = [...literalProblems(step)];
  if (problems.length > 0) compiler.whenDeployed(async () => problems);
}

function* literalProblems(step: Step): Generator<Problem, void> {
  const { conditional, loop } = step;
  if (conditional !== undefined) yield* nonBooleanProblems(conditional, ["conditional"]);
  if (loop !== undefined) {
    yield* nonBooleanProblems(loop, ["loop"]);
    if (FALSE.test(loop)) yield { path: ["loop"], message: "Is never true, so the loop would never end." };
  }
  for (const [index, { condition }] of ("on_error" in step ? (step.on_error ?? []) : []).entries()) {
    if (condition !== undefined) yield* nonBooleanProblems(condition, ["on_error", index, "condition"]);
  }
  if (step.type !== "branch") return;
  for (const [name, { condition }] of Object.entries(step.conditions)) {
    if (condition !== undefined) yield* nonBooleanProblems(condition, ["conditions", name, "condition"]);
  }
}

function* nonBooleanProblems(text: string, path: Path): Generator<Problem, void> {
  const message = nonBooleanProblem(text, "input.n > 1");
  if (message !== null) yield { path, message };
}

/**
 * Returns the message for a literal that is no condition; null for anything else.
 * @param example A condition in the same place.
 */
export function nonBooleanProblem(text: string, example: string): string | null {
  if (!NON_BOOLEAN.test(text)) return null;
  return `Must yield true or false, not ${text.trim().slice(0, 100)}. Write a condition such as ${example}.`;
}

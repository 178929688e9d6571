/** Reports conditions that are a literal with which their step can never succeed. */
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
  if (step.type !== "branch") return;
  for (const [name, { condition }] of Object.entries(step.conditions)) {
    if (condition !== undefined) yield* nonBooleanProblems(condition, ["conditions", name, "condition"]);
  }
}

function* nonBooleanProblems(text: string, path: Path): Generator<Problem, void> {
  if (!NON_BOOLEAN.test(text)) return;
  yield {
    path,
    message: `Must yield true or false, not ${text.trim().slice(0, 100)}. Write a condition such as input.n > 1.`,
  };
}

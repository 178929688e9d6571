/** What the editor of a step type gets. */
import type { Step } from "../../../../src/workflows/step.ts";
import { type FieldProblem, isError } from "../elements/fields/field-note.tsx";

export interface Problem {
  /** JSON Pointer (RFC 6901) into the step. */
  readonly pointer: string;
  readonly message: string;
  /** Index of the first wrong character, for a part of an expression. */
  readonly at?: number;
  /** Index after the last wrong character. */
  readonly end?: number;
  /** Whether it prevents nothing. @default false */
  readonly isWarning?: boolean;
}

export interface KindProps<One extends Step = Step> {
  readonly step: One;
  readonly onChange: (step: One) => void;
  /** What is wrong at a pointer into the step or below it; null for nothing. */
  readonly problemAt: (pointer: string) => FieldProblem | null;
}

export function problemFinder(problems: readonly Problem[]): KindProps["problemAt"] {
  return (pointer) =>
    fieldProblem(problems.filter((one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`)));
}

/** Together they are an error if one of them is. */
export function fieldProblem(found: readonly Problem[]): FieldProblem | null {
  if (found.length === 0) return null;
  const message = found.map((one) => one.message).join(" ");
  return found.every(({ isWarning }) => isWarning === true) ? { warning: message } : message;
}

/** The first error among the fields, else the first warning. */
export function worstAt(problemAt: KindProps["problemAt"], pointers: readonly string[]): FieldProblem | null {
  const found = pointers.map(problemAt);
  return found.find(isError) ?? found.find((one) => one !== null) ?? null;
}

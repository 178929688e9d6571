/** What is wrong with a field, or probably wrong, below it. */
import { Icon } from "../icons.tsx";

/** A text is an error. A warning prevents nothing. */
export type FieldProblem = string | { readonly warning: string };

export const isError = (problem: FieldProblem | null): boolean => typeof problem === "string";

export const messageOf = (problem: FieldProblem): string => (typeof problem === "string" ? problem : problem.warning);

interface FieldNoteProps {
  readonly id?: string | undefined;
  readonly problem: FieldProblem | null;
  /** Whether it is read out at once. @default false */
  readonly isAlert?: boolean;
}

export function FieldNote({ id, problem, isAlert = false }: FieldNoteProps) {
  if (problem === null) return null;
  return (
    <div id={id} role={isAlert ? "alert" : undefined} className={isError(problem) ? "field-error" : "field-warning"}>
      <Icon name={isError(problem) ? "error" : "warning"} /> <span>{messageOf(problem)}</span>
    </div>
  );
}

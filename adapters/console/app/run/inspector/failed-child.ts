/** The run in which the error of a step began. Pure. */
import type { StepFailure } from "../../../../../src/runs/run-step.ts";

/** As the engine says it, behind the name of the workflow or of the step. */
const RUN = /" \((run_[0-9a-z]{26})\)/;

/** The id of the child run that failed, or of a run below it. Null if the error is another one, or names none. */
export function failedChildOf({ code, message }: Pick<StepFailure, "code" | "message">): string | null {
  return code === "child_failed" ? (RUN.exec(message)?.[1] ?? null) : null;
}

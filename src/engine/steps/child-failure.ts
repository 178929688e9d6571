/** Builds the error of a step whose child run failed: the path to the failed step, and the reason. Pure. */
import type { Run } from "../../runs/run.ts";
import { StepError } from "../step-error.ts";

const CODE = "child_failed";
/** Maximum length of the reason. The path has at most as many parts as the maximum nesting depth. */
const MAX_REASON_CHARS = 1_000;
const MAX_NAME_CHARS = 80;

/**
 * Returns an error such as `Workflow "Intake", step "check" > workflow "Check", step "ask" (run_…): The answer has
 * status 404.` The run ID is that of the run in which the error occurred.
 *
 * @param name Name of the child run's workflow.
 */
export function childFailure(name: string, { id, status, error }: Pick<Run, "id" | "status" | "error">): StepError {
  const where = `Workflow ${quoted(name)}`;
  if (error === null) return new StepError(CODE, `${where} (${id}) was ${status}.`);
  const step = error.step === undefined ? where : `${where}, step ${quoted(error.step)}`;
  const message =
    error.code === CODE
      ? `${step} > ${error.message.replace(/^W/, "w")}` // this function created the message for the child's own child
      : `${step} (${id}): ${cut(error.message, MAX_REASON_CHARS)}`;
  return new StepError(CODE, message);
}

const quoted = (name: string) => JSON.stringify(cut(name, MAX_NAME_CHARS));
const cut = (text: string, length: number) => (text.length > length ? `${text.slice(0, length)}…` : text);

/** What a step says whose run of another workflow failed: the way down to where it happened, and why, each once. Pure. */
import type { Run } from "../../runs/run.ts";
import { StepError } from "../step-error.ts";

const CODE = "child_failed";
/** Characters of the reason; the way has at most as many parts as runs can be nested. */
const MAX_REASON = 1_000;
const MAX_NAME = 80;

/**
 * Such as `Workflow "Intake", step "check" > workflow "Check", step "ask" (run_…): The answer has status 404.` The run
 * is the one in which it happened.
 *
 * @param name The name of its workflow.
 */
export function childFailure(name: string, { id, status, error }: Pick<Run, "id" | "status" | "error">): StepError {
  const where = `Workflow ${quoted(name)}`;
  if (error === null) return new StepError(CODE, `${where} (${id}) was ${status}.`);
  const step = error.step === undefined ? where : `${where}, step ${quoted(error.step)}`;
  const message =
    error.code === CODE
      ? `${step} > ${error.message.replace(/^W/, "w")}` // said by this function, one run further down
      : `${step} (${id}): ${cut(error.message, MAX_REASON)}`;
  return new StepError(CODE, message);
}

const quoted = (name: string) => JSON.stringify(cut(name, MAX_NAME));
const cut = (text: string, length: number) => (text.length > length ? `${text.slice(0, length)}…` : text);

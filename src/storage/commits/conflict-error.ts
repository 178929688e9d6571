/** The error of a commit that expects another version of a document. */
import { StepwellError } from "../../errors.ts";

/** @param version The current version, or null if there is no document. */
export function conflictError(key: string, expected: number | null, version: number | null): StepwellError {
  const id = key.slice(key.indexOf(":") + 1);
  const what = version === null ? "removed" : expected === null ? "created" : "changed";
  const message = `Another request ${what} "${id}" at the same time. Read it again and repeat this request.`;
  return new StepwellError("conflict", message, { key });
}

/** The error of calls after `close`. */
import { StepwellError } from "../errors.ts";

const errors = new WeakSet<object>();

/** Over HTTP, it also ends the connection: a server that waits for its clients before it ends would wait for each poll. */
export function closedError(): StepwellError {
  const error = new StepwellError("unavailable", "This Stepwell instance is closed. Create a new one.", {
    headers: { "retry-after": "5", connection: "close" },
  });
  errors.add(error);
  return error;
}

/** Whether a call came after `close`. */
export const isClosedError = (error: unknown): boolean => error instanceof Error && errors.has(error);

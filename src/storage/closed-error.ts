/** The error of calls after `close`. */
import { StepwellError } from "../errors.ts";

export function closedError(): StepwellError {
  return new StepwellError("unavailable", "This Stepwell instance is closed. Create a new one.");
}

/** Why a step failed: what a run tells its reader, and whether trying again makes sense. */
import { cut, type FieldError, StepwellError } from "../errors.ts";
import type { RunError } from "../runs/run.ts";

/** Characters of what was thrown that anybody looks at, such as to hide credentials in it. */
const MAX_THROWN_LENGTH = 64 * 1024;

export class StepError extends Error {
  override readonly name = "StepError";
  readonly code: string;
  /** Whether another try may go better. */
  readonly retryable: boolean;
  /** Milliseconds to wait before it, where the other side said so. */
  readonly retryAfter: number | undefined;
  /** What the step wrote to its log before. */
  readonly logs: readonly string[];

  constructor(
    code: string,
    message: string,
    details: { retryable?: boolean; retryAfter?: number | undefined; logs?: readonly string[]; cause?: unknown } = {},
  ) {
    super(cut(message, MAX_THROWN_LENGTH), details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.retryable = details.retryable ?? false;
    this.retryAfter = details.retryAfter;
    this.logs = details.logs ?? [];
  }
}

/** Why a step is to stop although its run goes on, with the next process: what it started is left alone. */
export const STOPPED = new StepError("stopped", "The process is shutting down. The run resumes at the next start.");

/** Why nothing more is begun. */
export function closingError(): StepwellError {
  const message = "The service is shutting down. Active runs resume at the next start.";
  return new StepwellError("unavailable", message, { publicDetail: message });
}

/** Why an output is refused that JSON cannot hold. */
export function invalidOutput({ pointer, message }: FieldError): StepError {
  const where = pointer === "" ? "" : ` at ${pointer}`;
  return new StepError("invalid_output", `The output of the step is invalid${where}: ${message}`);
}

/** Anything that a step may throw, as one. */
export function asStepError(error: unknown): StepError {
  if (isInstance(error, StepError)) return error;
  if (isInstance(error, StepwellError)) {
    return new StepError(error.code, error.publicDetail ?? error.code, {
      retryable: error.code === "unavailable" || error.code === "fetch_failed",
      cause: error,
    });
  }
  return new StepError("step_failed", messageOf(error), { cause: error });
}

/** The error behind this one, where its message is for the log only. */
export function hiddenCause({ cause }: StepError): StepwellError | null {
  return isInstance(cause, StepwellError) && cause.publicDetail !== cause.message ? cause : null;
}

/** Of what was thrown, which may be anything, also something that throws when it is looked at. */
export function isInstance<T>(error: unknown, type: abstract new (...args: never) => T): error is T {
  try {
    return error instanceof type;
  } catch {
    return false;
  }
}

function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message || error.name) : `Thrown: ${String(error)}`;
  } catch {
    return "Thrown: a value without a string form";
  }
}

/** Characters of a message that a run keeps. */
const MAX_MESSAGE_LENGTH = 4_000;

/** As a run keeps it: whatever was thrown, its message is short, and holds no longer text in memory. */
export function asRunError({ code, message }: Pick<StepError, "code" | "message">): RunError {
  const isLong = message.length > MAX_MESSAGE_LENGTH;
  return { code, message: isLong ? [...cut(message, MAX_MESSAGE_LENGTH)].join("") : message };
}

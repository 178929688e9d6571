/** Errors of steps: what the run reports, and whether a retry may succeed. */
import { cut, type FieldError, isStepwellError, StepwellError } from "../errors.ts";
import { omitUndefined } from "../json.ts";
import type { RunError } from "../runs/run.ts";
import { DescendantLimitError } from "../runs/run-executor.ts";
import type { StepFailure } from "../runs/run-step.ts";
import { ActionError } from "../services/action-error.ts";
import type { ActionErrorDetails } from "../services/error-details.ts";
import { SECOND_MS } from "../time/units.ts";

/** Maximum length of a thrown error's message. Limits later work, such as redacting credentials. */
const MAX_THROWN_CHARS = 64 * 1024;

export class StepError extends Error {
  override readonly name = "StepError";
  readonly code: string;
  /** Whether the error is transient. */
  readonly retryable: boolean;
  /** Milliseconds to wait before the next attempt, if the server specified it. */
  readonly retryAfterMs: number | undefined;
  /** Log lines that the step wrote before the error. */
  readonly logs: readonly string[];
  /** What the step type adds to the error, such as the status of a response. */
  readonly details: ActionErrorDetails | undefined;
  /** JSON Pointer into the step of the field whose expression failed. */
  readonly field: string | undefined;

  constructor(
    code: string,
    message: string,
    details: {
      retryable?: boolean;
      retryAfterMs?: number | undefined;
      logs?: readonly string[];
      cause?: unknown;
      details?: ActionErrorDetails | undefined;
      field?: string | undefined;
    } = {},
  ) {
    super(cut(message, MAX_THROWN_CHARS), details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.retryable = details.retryable ?? false;
    this.retryAfterMs = details.retryAfterMs;
    this.logs = details.logs ?? [];
    this.details = details.details;
    this.field = details.field;
  }
}

/** Aborts steps of a run that leaves memory. It resumes later, so child runs are not canceled. */
export const STOPPED = new StepError("stopped", "The run was evicted from memory. It resumes later.");

/** An attempt took too long. @param what Subject of the message. */
export function timeoutError(timeoutMs: number, what = "The step"): StepError {
  const time = `${timeoutMs / SECOND_MS} ${timeoutMs === SECOND_MS ? "second" : "seconds"}`;
  return new StepError("timeout", `${what} took longer than ${time}.`, { retryable: true });
}

/** Aborts the steps of a run that ends. Their child runs are canceled. */
export const CANCELED = new StepError("canceled", "The run was canceled.");

/** Rejects new work while the service shuts down. */
export function closingError(): StepwellError {
  const message =
    "The service is shutting down. Its runs go on at the next start, or in other processes of the cluster.";
  return new StepwellError("unavailable", message, { publicDetail: message });
}

/** Converts the error of a commit to what callers of the run get. */
export function asStorageFailure(error: unknown): StepwellError {
  if (isStepwellError(error)) return error;
  return new StepwellError(
    "internal",
    "The run stopped because of an internal error. See the server log for the cause.",
    {
      cause: error,
    },
  );
}

/** Rejects an output that JSON cannot represent. */
export function invalidOutput({ pointer, message }: FieldError): StepError {
  const where = pointer === "" ? "" : ` at ${pointer}`;
  return new StepError("invalid_output", `The output of the step is invalid${where}: ${message}`);
}

/** Converts any thrown value to a `StepError`. */
export function asStepError(error: unknown): StepError {
  if (isInstance(error, StepError)) return error;
  if (isInstance(error, ActionError)) {
    const { code, message, retryable, retryAfterMs, details } = error;
    return new StepError(code, message, { retryable, retryAfterMs, details, cause: error });
  }
  if (isInstance(error, DescendantLimitError)) return new StepError(error.code, error.message);
  if (isInstance(error, StepwellError)) {
    return new StepError(error.code, error.publicDetail ?? error.code, {
      retryable: error.code === "unavailable" || error.code === "fetch_failed",
      cause: error,
    });
  }
  return new StepError("step_failed", messageOf(error), { cause: error });
}

/** Returns the cause if its message must appear only in logs, otherwise null. */
export function hiddenCause({ cause }: StepError): StepwellError | null {
  return isInstance(cause, StepwellError) && cause.publicDetail !== cause.message ? cause : null;
}

/** Like `instanceof`, but safe for any thrown value, including ones that throw when inspected. */
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

/** Maximum length of a message stored with a run. */
const MAX_MESSAGE_CHARS = 4_000;

/** Converts an error for storage. Limits the message and copies it, so that no longer string stays in memory. */
export function asRunError({ code, message }: Pick<StepError, "code" | "message">): RunError {
  const isLong = message.length > MAX_MESSAGE_CHARS;
  return { code, message: isLong ? [...cut(message, MAX_MESSAGE_CHARS)].join("") : message };
}

/** Converts any thrown value for storage. */
export const failureOf = (thrown: unknown): StepFailure => asStepFailure(asStepError(thrown));

/** Like {@link asRunError}, with the field that failed and what the step type adds. */
export function asStepFailure(error: StepError): StepFailure {
  const { details, field } = error;
  if (details === undefined && field === undefined) return asRunError(error);
  return omitUndefined({ ...asRunError(error), field, ...details });
}

/** Longer pointers are left out. */
const MAX_FIELD_CHARS = 256;

/** The error of an expression, with the field that has it. @param field JSON Pointer into the step. */
export function inField(error: unknown, field: string): unknown {
  if (!isInstance(error, StepError) || error.code !== "expression_failed" || field.length > MAX_FIELD_CHARS)
    return error;
  return new StepError(error.code, error.message, { field, cause: error.cause });
}

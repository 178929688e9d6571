/** Executes users' code. */

/** Code to execute. */
export interface SandboxCall {
  /**
   * JavaScript, or TypeScript without type checking: the body of an async function. `return` provides the result. Work
   * that is not awaited ends with the function. `console.log`, `info`, `warn`, `error` and `debug` write log lines.
   */
  readonly code: string;
  /**
   * Data that the code reads as global variables, copied as JSON. Don't modify it later: a sandbox may recognize
   * objects of earlier calls and copy them only once.
   */
  readonly globals: Readonly<Record<string, unknown>>;
  /** Limits of this call. The call fails with `code_limit` if the code exceeds one. */
  readonly limits: SandboxLimits;
  /** Owner of the code for fair scheduling, such as the id of an app. Calls without a tenant share one. */
  readonly tenant?: string;
  /** Stops the code at any point. The call then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called when the code starts, after any time in the queue. Not called if the call ends before. */
  readonly onStart?: () => void;
}

/** Limits of one call. */
export interface SandboxLimits {
  /**
   * Maximum heap size in bytes, including the code and the globals that it reads. Also the maximum length of all
   * globals as JSON.
   */
  readonly memoryBytes: number;
  /** Maximum execution time in milliseconds, from the start of the code. */
  readonly timeoutMs: number;
  /** Maximum stack size in bytes, up to 1 MiB. */
  readonly stackBytes: number;
  /**
   * Maximum length of the result as JSON and all log lines, in characters. Each line counts one more than its length.
   */
  readonly outputCharacters: number;
}

/** The result of code. */
export interface SandboxResult {
  /**
   * The returned value after conversion to JSON, at most 100 levels deep and not shared. NaN, undefined, functions and
   * symbols become null. A key `__proto__` is an error.
   */
  readonly value: unknown;
  /** The value as JSON text, if it is long and the sandbox has the text. It saves turning the value into text again. */
  readonly json?: string;
  /**
   * The first 1,000 lines, up to 64 Ki characters. A last line says how many were omitted. Omitted lines count as
   * output too.
   */
  readonly logs: readonly string[];
}

/** Executes untrusted code. */
export interface Sandbox {
  /** Whether results always conform to {@link SandboxResult}. If omitted, Stepwell validates them again. */
  readonly returnsPlainJson?: true;
  /**
   * Whether the sandbox calls `onStart`. If omitted, the `timeout` of a step includes the time that its code is queued.
   */
  readonly reportsStart?: true;
  /**
   * Executes untrusted code without access to the host. Calls share nothing. Calls beyond the sandbox's concurrency are
   * queued: tenants take turns, and calls of one tenant stay in order.
   * @throws SandboxError `code_failed`, `code_limit`, or `canceled` if the sandbox is closed.
   */
  run(call: SandboxCall): Promise<SandboxResult>;
  /**
   * Parses code without executing it, to report syntax errors at deployment. Without this function, they are reported
   * when the code runs.
   * @throws SandboxError as `run` would.
   */
  check?(call: Omit<SandboxCall, "globals">): Promise<void>;
  /** Stops all calls. */
  close(): Promise<void>;
}

/**
 * `code_failed`: the code threw an error, waits for a promise that never settles, cannot be parsed, or returned a value
 * that cannot be converted to JSON.
 * `code_limit`: it exceeded the limit named by `limit`.
 * `canceled`: the sandbox is closed.
 */
export type SandboxErrorCode = "code_failed" | "code_limit" | "canceled";

/** Details of a {@link SandboxError}. */
export interface SandboxErrorDetails {
  /** With `code_limit`: the exceeded limit. */
  readonly limit?: keyof SandboxLimits;
  /** Line of the user's code, from 1. */
  readonly line?: number | undefined;
  /** Lines logged before the error. @default [] */
  readonly logs?: readonly string[];
}

/** Code failed. The message addresses its author. */
export class SandboxError extends Error {
  /** Always `SandboxError`. */
  override readonly name = "SandboxError";
  /** Why the code failed. */
  readonly code: SandboxErrorCode;
  /** With `code_limit`: the exceeded limit. */
  readonly limit: keyof SandboxLimits | undefined;
  /** Line of the user's code where the error occurred, from 1, if known. */
  readonly line: number | undefined;
  /** Lines logged before the error, with the limits of {@link SandboxResult}. */
  readonly logs: readonly string[];

  constructor(code: SandboxErrorCode, message: string, details: SandboxErrorDetails = {}) {
    super(message);
    this.code = code;
    this.limit = details.limit;
    this.line = details.line;
    this.logs = details.logs ?? [];
  }
}

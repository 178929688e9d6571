/** Where users' code runs. */

export interface SandboxCall {
  /**
   * JavaScript, or TypeScript whose types are left out unchecked: the body of an async function. `await` works, `return`
   * gives the result; work that nothing awaits ends with it. `console.log`, `info`, `warn`, `error` and `debug` write log lines.
   */
  readonly code: string;
  /** Plain data that the code sees as global names: a copy, made by way of JSON. */
  readonly globals: Readonly<Record<string, unknown>>;
  readonly limits: SandboxLimits;
  /** Whose code it is, such as the id of an app. Left out, it is nobody's, who is one owner among the others. */
  readonly owner?: string;
  /** Stops the code, wherever it is; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface SandboxLimits {
  /** Bytes of heap: all that the code makes, its own text and the globals included. */
  readonly memoryBytes: number;
  /** Milliseconds of computing, from the moment when the code starts. */
  readonly timeoutMs: number;
  /** Bytes of stack, at most 1 MiB. */
  readonly stackBytes: number;
  /** Characters of the result as JSON and of all log lines together; a line counts one more than it holds. */
  readonly outputCharacters: number;
}

export interface SandboxResult {
  /**
   * What JSON makes of the value returned, made for this call and no deeper than 100 levels: NaN is null; nothing, a
   * function, or a symbol is null as well; `__proto__` as a key fails.
   */
  readonly value: unknown;
  /**
   * The first 1,000 lines, and of them the first 64 Ki characters; a last line says how many were left out. All of them
   * count as output.
   */
  readonly logs: readonly string[];
}

export interface Sandbox {
  /** Whether results were found to be what {@link SandboxResult} promises; left out, they are looked through again. */
  readonly givesPlainJson?: true;
  /**
   * Runs code that nobody trusts: no host access of any kind, nothing shared between calls. Calls beyond what the
   * sandbox can run at once wait: owners take turns, and the calls of one stay in order.
   * @throws SandboxError `code_failed`, `code_limit`, or, when the sandbox is closed, `canceled`.
   */
  run(call: SandboxCall): Promise<SandboxResult>;
  /**
   * Reads code without running it, so that what cannot be read is told before a run needs it. A sandbox without it
   * tells when the code runs.
   * @throws SandboxError as `run` would
   */
  check?(call: Omit<SandboxCall, "globals">): Promise<void>;
  /** Stops all calls. */
  close(): Promise<void>;
}

/**
 * `code_failed`: the code threw, waits for what never comes, cannot be read, or returned what JSON cannot say.
 * `code_limit`: it went over the limit that `limit` names.
 */
export type SandboxErrorCode = "code_failed" | "code_limit" | "canceled";

export interface SandboxErrorDetails {
  readonly limit?: keyof SandboxLimits;
  /** Of the user's code, from 1. */
  readonly line?: number | undefined;
  readonly logs?: readonly string[];
}

/** Why code has no result, in words for the one who wrote it. */
export class SandboxError extends Error {
  override readonly name = "SandboxError";
  readonly code: SandboxErrorCode;
  /** With `code_limit`: which one. */
  readonly limit: keyof SandboxLimits | undefined;
  /** The line of the user's code where it happened, from 1, if that is known. */
  readonly line: number | undefined;
  /** What was logged until then, as much as of a {@link SandboxResult}. */
  readonly logs: readonly string[];

  constructor(code: SandboxErrorCode, message: string, details: SandboxErrorDetails = {}) {
    super(message);
    this.code = code;
    this.limit = details.limit;
    this.line = details.line;
    this.logs = details.logs ?? [];
  }
}

/** Where users' code runs. */

export interface SandboxCall {
  /** JavaScript: the body of an async function; `return` gives the result. */
  readonly code: string;
  /** Plain data that the code sees as global names. */
  readonly globals: Readonly<Record<string, unknown>>;
  readonly limits: SandboxLimits;
  readonly signal?: AbortSignal;
}

export interface SandboxLimits {
  /** Bytes of heap. */
  readonly memory: number;
  /** Milliseconds of computing. */
  readonly time: number;
  /** Bytes of stack. */
  readonly stack: number;
  /** Characters of the result as JSON, and of all log lines together. */
  readonly output: number;
}

export interface SandboxResult {
  /** Plain JSON; null when the code returned nothing. */
  readonly value: unknown;
  readonly logs: readonly string[];
}

export interface SandboxFailure {
  /** Which limit, where the code is `code_limit`. */
  readonly limit?: "memory" | "time" | "stack" | "output";
  /** Of the user's code, from 1. */
  readonly line?: number;
  /** What was logged before. */
  readonly logs?: readonly string[];
  readonly cause?: unknown;
}

/** Why code gave no result: what it threw, which limit it met, or that nobody waits for it any more. */
export class SandboxError extends Error {
  override readonly name = "SandboxError";
  readonly code: "code_failed" | "code_limit" | "canceled";
  readonly limit: SandboxFailure["limit"];
  readonly line: number | undefined;
  readonly logs: readonly string[];

  constructor(code: SandboxError["code"], message: string, failure: SandboxFailure = {}) {
    super(message, failure.cause === undefined ? undefined : { cause: failure.cause });
    this.code = code;
    this.limit = failure.limit;
    this.line = failure.line;
    this.logs = failure.logs ?? [];
  }
}

export interface Sandbox {
  /**
   * Runs code that nobody trusts: no host access of any kind, nothing shared between calls.
   * @throws SandboxError
   */
  run(call: SandboxCall): Promise<SandboxResult>;
  close(): Promise<void>;
}

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

export interface Sandbox {
  /**
   * Runs code that nobody trusts: no host access of any kind, nothing shared between calls.
   * @throws StepError `code_failed` (what the code threw, with its line), `code_limit` (which limit), `canceled`.
   */
  run(call: SandboxCall): Promise<SandboxResult>;
  close(): Promise<void>;
}

/** What a sandbox and its threads say to each other. */
import type { SandboxErrorCode, SandboxErrorDetails, SandboxLimits } from "../../src/ports/sandbox.ts";

/** One call, on its way to a thread. */
export interface Job {
  /** Never 0; the thread's cancel flag holds it once the call is to stop. */
  readonly id: number;
  readonly code: string;
  /** As JSON. */
  readonly globals: string;
  readonly limits: SandboxLimits;
  /** Only reads the code, and gives null. */
  readonly isCheck: boolean;
}

/** What became of a call: the result as JSON, or a failure. */
export type Outcome = Done | Failed;

export interface Done {
  readonly ok: true;
  readonly json: string;
  readonly logs: readonly string[];
}

export interface Failed {
  readonly ok: false;
  readonly failure: Failure;
  /** The code could not be read as JavaScript: none of it has run. */
  readonly isUnread?: boolean;
}

export interface Failure extends SandboxErrorDetails {
  readonly code: SandboxErrorCode;
  readonly message: string;
}

export interface Answer {
  readonly outcome: Outcome;
  /** The thread takes no more calls. */
  readonly isSpent: boolean;
}

/** `ready`: a QuickJS stands by for the first call; with each answer it does for the next. */
export type FromThread = "ready" | Answer;

export interface ThreadData {
  /** Holds the id of the call to be stopped. */
  readonly canceled: Int32Array;
}

const UNITS = {
  memoryBytes: "bytes of memory",
  timeoutMs: "ms of time",
  stackBytes: "bytes of stack",
  outputCharacters: "characters of output",
};

/** @param line Where the code was, if that is known. */
export function overLimit(limit: keyof SandboxLimits, limits: SandboxLimits, line?: number): Failure {
  const place = line === undefined ? "" : ` (line ${line})`;
  const message = `The code exceeded the limit of ${limits[limit]} ${UNITS[limit]}${place}.`;
  return { code: "code_limit", limit, line, message };
}

/** Messages between a sandbox and its threads. */
import type { SandboxErrorCode, SandboxErrorDetails, SandboxLimits } from "../../src/ports/sandbox.ts";
import type { Parcel, Part } from "./parcel.ts";

/** One call. */
export interface Job {
  /** Never 0. The thread's cancel flag is set to it to stop the call. */
  readonly id: number;
  readonly code: string;
  readonly globals: GlobalsMessage;
  readonly limits: SandboxLimits;
  /** Whether to only parse the code. The result is null. */
  readonly isCheck: boolean;
}

/** The global variables of a call. */
export interface GlobalsMessage {
  /** Small values as JSON, with null in place of each large one. */
  readonly json: string;
  readonly large: readonly LargeGlobal[];
  /** Ids of values that the thread no longer needs to keep. */
  readonly forget: readonly number[];
}

export interface LargeGlobal {
  /** Where the value is among the globals: one or two keys. */
  readonly path: readonly string[];
  /** Set if the thread keeps the value for later calls. */
  readonly id?: number;
  /** In parts. Omitted if the thread has the value. */
  readonly json?: readonly Part[];
}

/** The outcome of a call: the result, or a failure. */
export type Outcome = Done | Failed;

export interface Done {
  readonly ok: true;
  readonly result: Parcel;
  readonly logs: readonly string[];
}

export interface Failed {
  readonly ok: false;
  readonly failure: Failure;
  /** Whether the code could not be parsed as JavaScript, so that none of it was executed. */
  readonly hasSyntaxError?: boolean;
}

export interface Failure extends SandboxErrorDetails {
  readonly code: SandboxErrorCode;
  readonly message: string;
}

/** The thread is ready for the next call, unless it is exhausted. */
export interface Answer {
  readonly outcome: Outcome;
  /** Whether the thread accepts no more calls. */
  readonly isExhausted: boolean;
}

export interface ThreadData {
  /** Holds the ID of the call to stop. */
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
  const position = line === undefined ? "" : ` (line ${line})`;
  const message = `The code exceeded the limit of ${limits[limit]} ${UNITS[limit]}${position}.`;
  return { code: "code_limit", limit, line, message };
}

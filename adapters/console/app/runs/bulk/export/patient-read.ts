/** Reads again when the server is back, however long it is away. */

import { askedDelay } from "../../../../../../src/client/backoff.ts";
import { isStepwellError, type StepwellError } from "../../../../../../src/client/index.ts";
import { isRefusal } from "../../../server/refusal.ts";

/** A server that can be reached, and does not answer one request, will not answer it later either. */
const MAX_TRIES = 3;

/** Between requests that the server finds too many. */
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 3_600_000;

interface Connection {
  /** Resolves to whether the server can be reached. */
  readonly check: () => Promise<boolean>;
  /** Resolves when it can be reached, or the signal aborts. */
  readonly untilReached: (signal: AbortSignal) => Promise<void>;
  /** Resolves after so many milliseconds. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

export async function readPatiently<Answer>(
  read: () => Promise<Answer>,
  { check, untilReached, sleep }: Connection,
  signal: AbortSignal,
): Promise<Answer> {
  let tries = 0;
  while (true) {
    try {
      return await read();
    } catch (error) {
      signal.throwIfAborted();
      if (isRefusal(error)) throw error;
      // Here, nobody waits for each response: the export goes on when the server permits it.
      if (isStepwellError(error, "too_many_requests")) await sleep(pauseOf(error), signal);
      else if (!(await check())) await untilReached(signal);
      else if (++tries === MAX_TRIES) throw error;
      signal.throwIfAborted();
    }
  }
}

const pauseOf = ({ headers }: StepwellError): number =>
  Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, askedDelay(headers["retry-after"])));

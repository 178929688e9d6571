/** Reads again when the server is back, however long it is away. */
import { isStepwellError } from "../../../../../../src/client/index.ts";

/** A server that can be reached, and does not answer one request, will not answer it later either. */
const MAX_TRIES = 3;

interface Connection {
  /** Resolves to whether the server can be reached. */
  readonly check: () => Promise<boolean>;
  /** Resolves when it can be reached, or the signal aborts. */
  readonly untilReached: (signal: AbortSignal) => Promise<void>;
}

export async function readPatiently<Answer>(
  read: () => Promise<Answer>,
  { check, untilReached }: Connection,
  signal: AbortSignal,
): Promise<Answer> {
  let tries = 0;
  while (true) {
    try {
      return await read();
    } catch (error) {
      signal.throwIfAborted();
      if (isRefusal(error)) throw error;
      const isThere = await check();
      if (isThere && ++tries === MAX_TRIES) throw error;
      if (!isThere) await untilReached(signal);
      signal.throwIfAborted();
    }
  }
}

/** Whether the server has said no. Without a response, an error has a cause. */
const isRefusal = (error: unknown) => isStepwellError(error) && error.cause === undefined && error.status < 500;

/** Reads again when the server is back, however long it is away. */
import { isStepwellError } from "../../../../../../src/client/index.ts";
import { isRefusal } from "../../../server/refusal.ts";

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
      // Who asks too often is answered later. The client has waited for as long as the server has asked for.
      if (isThere && !isStepwellError(error, "too_many_requests") && ++tries === MAX_TRIES) throw error;
      if (!isThere) await untilReached(signal);
      signal.throwIfAborted();
    }
  }
}

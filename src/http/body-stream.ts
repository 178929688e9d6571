/** The body of a request as it comes, from a sender that may be slow but not as slow as it likes. */

import { StepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import { createIdleTimer, MIN_PROGRESS_BYTES } from "../time/idle-timer.ts";

/**
 * Reads the body of a request. It is not cancelled when it is left early: the host decides how to get rid of the rest
 * without cutting off the answer. Only the signal cancels it, also while nothing comes, and is what is thrown then.
 * @throws StepwellError `malformed` when the body breaks off, `request_timeout` when it comes too slowly
 */
export type ReadBody = (request: Request, signal?: AbortSignal) => AsyncIterable<Uint8Array>;

/** @param idle Milliseconds of waiting in which {@link MIN_PROGRESS_BYTES} bytes or the end must come. */
export function createReadBody({ clock, idle }: { clock: Clock; idle: number }): ReadBody {
  return async function* ({ body }, signal) {
    if (body === null) return;
    signal?.throwIfAborted();
    const reader = body.getReader();
    let ended: { readonly reason: unknown } | undefined;
    const end = (reason: unknown) => {
      ended ??= { reason };
      reader.cancel(reason).catch(() => undefined); // what matters is already known
    };
    const abort = () => end(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    const idleTimer = createIdleTimer(clock, idle, () => end(tooSlow(idle)));
    try {
      for (;;) {
        idleTimer.startWaiting();
        const { done, value } = await reader.read().catch((cause: unknown) => {
          throw new StepwellError("malformed", "The connection closed before the end of the body.", { cause });
        });
        if (ended !== undefined) throw ended.reason;
        if (done) return;
        idleTimer.receive(value.byteLength);
        yield value;
      }
    } finally {
      idleTimer.stop();
      signal?.removeEventListener("abort", abort);
    }
  };
}

function tooSlow(idle: number): StepwellError {
  const seconds = idle / 1_000;
  const message = `The body arrived too slowly: less than ${MIN_PROGRESS_BYTES} bytes within ${seconds} seconds. Send the request again.`;
  return new StepwellError("request_timeout", message, { headers: { connection: "close" } });
}

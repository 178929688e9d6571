/** Reads the body of a request as it arrives, with a minimum speed. */

import { StepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import { createIdleTimer, MIN_PROGRESS_BYTES } from "../time/idle-timer.ts";

/**
 * Reads the body of a request. Leaving it early does not cancel it: the host disposes of the rest without cutting off the
 * response. Only the signal cancels it, even while no bytes arrive; the reader then throws the reason.
 * @throws StepwellError `malformed` if the connection closes early; `request_timeout` if the body arrives too slowly
 */
export type ReadBody = (request: Request, signal?: AbortSignal) => AsyncIterable<Uint8Array>;

/** @param idle Milliseconds in which {@link MIN_PROGRESS_BYTES} bytes or the end must arrive. */
export function createReadBody({ clock, idle }: { clock: Clock; idle: number }): ReadBody {
  return async function* ({ body }, signal) {
    if (body === null) return;
    signal?.throwIfAborted();
    const reader = body.getReader();
    let ended: { readonly reason: unknown } | undefined;
    const end = (reason: unknown) => {
      ended ??= { reason };
      reader.cancel(reason).catch(() => undefined); // the reason is already known
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

/** Gets rid of a request body that nobody wanted, so that its sender can read the answer. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { MEBIBYTE } from "../../src/encoding/bytes.ts";

/** A sender that goes on for longer than this, or with more than this, is cut off. */
const MAX_MILLISECONDS = 2_000;
const MAX_BYTES = 64 * MEBIBYTE;

/**
 * Closing a connection with unread bytes makes the system reset it, and the sender loses the answer that says why (RFC
 * 9112, 9.6). So what still comes after the answer is read and dropped, within limits.
 */
export function drainAfter(response: ServerResponse, request: IncomingMessage): void {
  response.once("finish", () => {
    if (!request.readableEnded && !request.destroyed) void drain(request);
  });
}

/** Through an iterator: a stream that one was reading before gives nothing to listeners of `data`. */
async function drain(request: IncomingMessage): Promise<void> {
  // With all of the body received, the connection belongs to the next request already.
  const cutOff = () => void (request.complete || request.destroy());
  const timer = setTimeout(cutOff, MAX_MILLISECONDS);
  timer.unref();
  let left = MAX_BYTES;
  try {
    for await (const bytes of request.iterator({ destroyOnReturn: false })) {
      left -= bytes.byteLength;
      if (left < 0) return cutOff();
    }
  } catch {
    // The sender has gone: nothing is left to do.
  } finally {
    clearTimeout(timer);
  }
}

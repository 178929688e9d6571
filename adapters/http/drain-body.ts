/** Drains a request body that was not read, so that the client can receive the response. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { MEBIBYTE } from "../../src/encoding/bytes.ts";

/** A client that takes longer or sends more is disconnected. */
const MAX_DRAIN_MS = 2_000;
const MAX_DRAIN_BYTES = 64 * MEBIBYTE;

/**
 * Closing a connection with unread bytes resets it, and the client loses the response that explains the error (RFC 9112
 * §9.6). So the rest of the body is read and discarded, within limits.
 */
export function drainAfter(response: ServerResponse, request: IncomingMessage): void {
  response.once("finish", () => {
    if (!request.readableEnded && !request.destroyed) void drain(request);
  });
}

/** Uses an iterator, because a stream that was iterated before emits no `data` events. */
async function drain(request: IncomingMessage): Promise<void> {
  // Once the body is complete, the connection may already serve the next request.
  const cutOff = () => void (request.complete || request.destroy());
  const timer = setTimeout(cutOff, MAX_DRAIN_MS);
  timer.unref();
  let left = MAX_DRAIN_BYTES;
  try {
    for await (const bytes of request.iterator({ destroyOnReturn: false })) {
      left -= bytes.byteLength;
      if (left < 0) return cutOff();
    }
  } catch {
    // The client has disconnected.
  } finally {
    clearTimeout(timer);
  }
}

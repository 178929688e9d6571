/** Gets rid of a request body that nobody wanted, so that its sender can read the answer. */
import type { IncomingMessage, ServerResponse } from "node:http";

/** A sender that goes on for longer than this, or with more than this, is cut off. */
const MAX_MILLISECONDS = 2_000;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Closing a connection with unread bytes makes the system reset it, and the sender loses the answer that says why (RFC
 * 9112, 9.6). So what still comes after the answer is read and dropped, within limits.
 */
export function drainAfter(response: ServerResponse, request: IncomingMessage): void {
  response.once("finish", () => {
    if (request.readableEnded || request.destroyed) return;
    let left = MAX_BYTES;
    const timer = setTimeout(() => request.destroy(), MAX_MILLISECONDS);
    timer.unref();
    request.on("data", (bytes: Uint8Array) => {
      left -= bytes.byteLength;
      if (left < 0) request.destroy();
    });
    request.once("close", () => clearTimeout(timer));
    request.once("end", () => clearTimeout(timer));
    request.on("error", () => {}); // the sender has gone: nothing is left to do
    request.resume();
  });
}

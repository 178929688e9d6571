/** Writes to a request until the other side stops reading. */
import type { ClientRequest } from "node:http";
import { turnEventLoop } from "../event-loop.ts";

const MEBI = 1024 * 1024;

/** More than the buffers of both sockets. */
const MAX_BLOCKS = 64;

/**
 * Returns how many MiB were written, and whether the last ones could not be sent.
 * @param turns Turns of the event loop in which a reader on another process would have read more.
 */
export async function fillBuffers(sent: ClientRequest, turns = 2_000): Promise<{ written: number; isHeld: boolean }> {
  const block = new Uint8Array(MEBI);
  let written = 0;
  while (written < MAX_BLOCKS) {
    written += 1;
    if (sent.write(block)) continue;
    // It drains while the buffers of both sockets have room, and then no more.
    let isDrained = false;
    sent.once("drain", () => {
      isDrained = true;
    });
    await turnEventLoop(turns);
    if (!isDrained) return { written, isHeld: true };
  }
  return { written, isHeld: false };
}

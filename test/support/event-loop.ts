/** Waits without a timer until pending work in memory is done. */
import { setImmediate } from "node:timers/promises";

/**
 * Lets the event loop turn several times: enough for all pending work in memory to finish, however busy the machine is.
 * For work that needs a timer, a thread or a socket, wait for a condition instead.
 */
export async function turnEventLoop(times = 200): Promise<void> {
  for (let turn = 0; turn < times; turn++) await setImmediate();
}

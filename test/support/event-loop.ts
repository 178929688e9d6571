/** Waiting without time, for tests that everything they do not wait for must have had its turn. */
import { setImmediate } from "node:timers/promises";

/**
 * Lets the event loop turn so many times: enough for everything in memory that has begun to come to its end, however
 * busy the machine is. What needs a timer, a thread or a socket needs a condition to wait for instead.
 */
export async function turnEventLoop(times = 200): Promise<void> {
  for (let turn = 0; turn < times; turn++) await setImmediate();
}

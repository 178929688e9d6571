import type { Clock } from "../../src/ports/clock.ts";
import { unlessAborted } from "../../src/time/unless-aborted.ts";
import { within } from "../../src/time/within.ts";

/** Whether the work is done within the time. Rejects like the work. */
export async function isDoneWithin(
  clock: Pick<Clock, "after">,
  timeoutMs: number,
  work: Promise<unknown>,
): Promise<boolean> {
  const done = work.then(() => true);
  return (await within(clock, timeoutMs, undefined, (signal) => unlessAborted(done, signal))) ?? false;
}

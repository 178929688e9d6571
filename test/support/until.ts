/** Waiting for a condition, for as long as it takes: what never comes is ended by the time limit of the whole test. */
import { setTimeout } from "node:timers/promises";

/** Looks often at first, and then seldom: whatever the test waits for needs the processor, too. */
const FIRST_INTERVAL_MS = 1;
const LAST_INTERVAL_MS = 32;

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let interval = FIRST_INTERVAL_MS; !(await holds()); interval = Math.min(2 * interval, LAST_INTERVAL_MS)) {
    await setTimeout(interval);
  }
}

/** Waits for a condition without a timeout: the timeout of the whole test applies. */
import { setTimeout } from "node:timers/promises";

/** Polls often at first, then less: the awaited work needs the processor, too. */
const FIRST_INTERVAL_MS = 1;
const LAST_INTERVAL_MS = 32;

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let interval = FIRST_INTERVAL_MS; !(await holds()); interval = Math.min(2 * interval, LAST_INTERVAL_MS)) {
    await setTimeout(interval);
  }
}

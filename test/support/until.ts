/** Waits for a condition for as long as a test may take. */
import { setTimeout } from "node:timers/promises";

/** Polls often at first, then less: the awaited work needs the processor, too. */
const FIRST_INTERVAL_MS = 1;
const LAST_INTERVAL_MS = 32;

/** Less than the timeout of a test, whose error does not say what the test waited for. */
const PATIENCE_MS = 270_000;

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const expired = new Error("What the test waits for has not happened.");
  const end = performance.now() + PATIENCE_MS;
  for (let interval = FIRST_INTERVAL_MS; !(await holds()); interval = Math.min(2 * interval, LAST_INTERVAL_MS)) {
    if (performance.now() > end) throw expired;
    await setTimeout(interval);
  }
}

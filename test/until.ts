/** Waiting for a condition, for as long as it takes: what never comes is ended by the time limit of the whole test. */
import { setTimeout } from "node:timers/promises";

const INTERVAL_MS = 2;

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await setTimeout(INTERVAL_MS);
}

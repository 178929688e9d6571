/** Carries a decision that has many expressions through turns of the event loop. */
import type { Pace } from "../expressions/event-loop-pace.ts";
import type { Progress } from "../state/progress.ts";

/**
 * All steps to run next.
 * @param steps What `begin` or `settle` gave.
 */
export async function drainReadySteps(
  progress: Progress,
  pace: Pace,
  steps: readonly number[],
): Promise<readonly number[]> {
  const all = [...steps];
  while (progress.isPaused()) {
    await pace.nextTurn();
    for (const step of progress.proceed()) all.push(step);
  }
  return all;
}

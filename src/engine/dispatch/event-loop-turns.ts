/** Spreads a decision that evaluates many expressions over several turns of the event loop. */
import type { Pace } from "../expressions/event-loop-pace.ts";
import type { Progress } from "../state/progress.ts";

/**
 * Returns all steps to execute next.
 * @param steps Steps that `start` or `settle` returned.
 */
export async function drainReadySteps(
  progress: Progress,
  pace: Pace,
  steps: readonly number[],
): Promise<readonly number[]> {
  const all = [...steps];
  while (progress.isPaused()) {
    await pace.nextTurn();
    for (const step of progress.resume()) all.push(step);
  }
  return all;
}

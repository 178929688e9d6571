/** Spreads a decision that evaluates many expressions over several turns of the event loop. */
import type { Pace } from "../expressions/event-loop-pace.ts";
import type { Progress } from "./progress.ts";
import type { Task } from "./task.ts";

/**
 * Returns all tasks to execute next.
 * @param tasks Tasks that `start` or `settle` returned.
 */
export async function drainReadyTasks(
  progress: Progress,
  pace: Pace,
  tasks: readonly Task[],
): Promise<readonly Task[]> {
  const all = [...tasks];
  while (progress.isPaused()) {
    await pace.nextTurn();
    for (const task of progress.resume()) all.push(task);
  }
  return all;
}

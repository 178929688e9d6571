/** Settles outcomes in memory, in the order in which they arrived. */

import type { Pace } from "../expressions/event-loop-pace.ts";
import { drainReadyTasks } from "../progress/drain-ready-tasks.ts";
import type { Progress } from "../progress/progress.ts";
import { linesThatFit, withLines } from "../progress/step-log.ts";
import { keepsSubsteps, type Outcome } from "../progress/step-state.ts";
import type { Task } from "../progress/task.ts";
import type { SettledStep } from "../state/journal.ts";
import type { PendingOutcome } from "./pending-outcomes.ts";
import type { Substeps } from "./tasks/substeps.ts";

/**
 * A run that has failed accepts nothing more from callers: requests that arrived after the failure are ignored.
 * @returns The outcomes that have settled, as entries for the journal, and the tasks to start once they are stored.
 */
export async function settleOutcomes(
  pending: readonly PendingOutcome[],
  progress: Progress,
  pace: Pace,
  substeps: Substeps,
): Promise<{
  readonly settled: readonly PendingOutcome[];
  readonly entries: readonly SettledStep[];
  readonly next: readonly Task[];
  /** Tasks to stop: another item of their step failed. */
  readonly dropped: readonly Task[];
}> {
  const settled: PendingOutcome[] = [];
  const entries: SettledStep[] = [];
  const next: Task[] = [];
  for (const one of withFailedItemsLast(pending)) {
    if (one.request !== undefined && progress.failure() !== null) continue;
    const { task } = one;
    const { index, item } = task;
    settled.push(one);
    // Another item of the step failed meanwhile.
    if (progress.task(index, item) !== task) continue;
    // Read before settling, which advances the iteration of a step with a loop.
    const iteration = progress.iteration(task);
    const outcome = withLogThatFits(one.outcome, task, progress);
    substeps.forget(index, iteration, keepsSubsteps(outcome));
    const first = progress.settle(task, outcome);
    entries.push({ index, item, outcome: withLoop(outcome, iteration, progress.loop(index)), iteration });
    const steps = progress.isPaused() ? await drainReadyTasks(progress, pace, first) : first;
    for (const step of steps) next.push(step);
  }
  return { settled, entries, next, dropped: progress.takeDropped() };
}

/** The lines that the log of the step has no room for are not stored either: a step may have 10,000 items. */
function withLogThatFits(outcome: Outcome, task: Task, progress: Progress): Outcome {
  const { logs } = outcome;
  if (logs === undefined) return outcome;
  const before = withLines(progress.log(task.index), progress.earlierAttempts(task)?.logs ?? []);
  const fit = linesThatFit(before, logs);
  return fit.length === logs.length ? outcome : { ...outcome, logs: fit };
}

function withLoop(outcome: Outcome, iteration: number, loop: ReturnType<Progress["loop"]>): Outcome {
  return loop?.iteration === iteration ? { ...outcome, continues: { ...loop.spent } } : outcome;
}

export const isFailedItem = ({ task, outcome }: PendingOutcome): boolean =>
  task.item !== null && outcome.error !== null;

/** An item that fails its step drops the others, so what else arrived with it settles first. */
function withFailedItemsLast(pending: readonly PendingOutcome[]): readonly PendingOutcome[] {
  if (!pending.some(isFailedItem)) return pending;
  return [...pending.filter((one) => !isFailedItem(one)), ...pending.filter(isFailedItem)];
}

/** Settles outcomes in memory, in the order in which they arrived. */
import { drainReadySteps } from "../dispatch/event-loop-turns.ts";
import type { Pace } from "../expressions/event-loop-pace.ts";
import type { SettledStep } from "../state/journal.ts";
import type { Progress } from "../state/progress.ts";
import type { PendingOutcome } from "./pending-outcomes.ts";
import type { Substeps } from "./substeps.ts";

/**
 * A run that has failed accepts nothing more from callers: requests that arrived after the failure are ignored.
 * @returns The outcomes that have settled, as entries for the journal, and the steps to start once they are stored.
 */
export async function settleOutcomes(
  pending: readonly PendingOutcome[],
  progress: Progress,
  pace: Pace,
  substeps: Substeps,
): Promise<{
  readonly settled: readonly PendingOutcome[];
  readonly entries: readonly SettledStep[];
  readonly next: readonly number[];
}> {
  const settled: PendingOutcome[] = [];
  const entries: SettledStep[] = [];
  const next: number[] = [];
  for (const one of pending) {
    if (one.request !== undefined && progress.failure() !== null) continue;
    const { index, outcome } = one;
    // Read before settling, which advances the iteration of a step with a loop.
    const iteration = progress.iteration(index);
    settled.push(one);
    entries.push({ index, outcome, iteration });
    substeps.forget(`${index}.${iteration}`);
    const first = progress.settle(index, outcome);
    const steps = progress.isPaused() ? await drainReadySteps(progress, pace, first) : first;
    for (const step of steps) next.push(step);
  }
  return { settled, entries, next };
}

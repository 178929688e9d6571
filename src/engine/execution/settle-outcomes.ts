/** Settles outcomes in memory, in the order in which they arrived. */
import { drainReadySteps } from "../dispatch/event-loop-turns.ts";
import type { Pace } from "../expressions/event-loop-pace.ts";
import type { JournalEntry, SettledStep } from "../state/journal.ts";
import type { Progress } from "../state/progress.ts";
import type { Substeps } from "./substeps.ts";

/** @returns The entries with their iterations, and the steps to start once they are stored. */
export async function settleOutcomes(
  pending: readonly JournalEntry[],
  progress: Progress,
  pace: Pace,
  substeps: Substeps,
): Promise<{ readonly entries: readonly SettledStep[]; readonly next: readonly number[] }> {
  // Read iterations before settling: settling advances the iteration of a step with a loop.
  const entries = pending.map((entry) => ({ ...entry, iteration: progress.iteration(entry.index) }));
  const next: number[] = [];
  for (const { index, iteration, outcome } of entries) {
    substeps.forget(`${index}.${iteration}`);
    const first = progress.settle(index, outcome);
    const steps = progress.isPaused() ? await drainReadySteps(progress, pace, first) : first;
    for (const step of steps) next.push(step);
  }
  return { entries, next };
}

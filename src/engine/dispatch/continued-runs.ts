/** Prepares a new run that keeps the outcomes of another one before a step. */
import { StepwellError } from "../../errors.ts";
import type { Change, Store } from "../../ports/store.ts";
import type { Run } from "../../runs/run.ts";
import type { NewRun } from "../../runs/run-executor.ts";
import type { Plan } from "../compile/plan.ts";
import { outcomeChanges } from "../state/journal.ts";
import { loadValues } from "../state/large-values.ts";
import { type Replay, replayOn } from "../state/replay.ts";
import { keptOutcomes } from "../state/retry-run.ts";
import { isEnded, type RunDocument } from "../state/run-document.ts";
import { getRun } from "../state/run-snapshot.ts";
import { showRunning } from "../state/run-view.ts";

export interface ContinuedRun {
  readonly document: RunDocument;
  /** The journal with what the run keeps. */
  readonly changes: readonly Change[];
  /** Returns the run with its first status. */
  show(document: RunDocument): Run;
}

/** In place of an iteration in the keys of kept outputs. Iterations count from 1. */
const KEPT = 0;

/**
 * @param after The plan of the new run.
 * @throws StepwellError `not_found`; `conflict` if the other run has not ended, or if steps that have outcomes differ;
 * `invalid` for an unknown step
 */
export async function continueFrom(
  parts: { readonly store: Store; readonly replay: Replay },
  created: RunDocument,
  after: Plan,
  { run_id, from_step }: NonNullable<NewRun["continues"]>,
): Promise<ContinuedRun> {
  const { store, replay } = parts;
  const { document: earlier } = await getRun(store, run_id);
  if (!isEnded(earlier)) {
    throw new StepwellError("conflict", `The run is ${earlier.status}. Only an ended run can be replayed from a step.`);
  }
  const planned = await replay.plan(earlier);
  if (!planned.ok)
    throw new StepwellError("conflict", `The run cannot be replayed from a step: ${planned.error.message}`);
  const kept = keptOutcomes(earlier, { before: planned.plan, after, from_step });
  const values = await loadValues(
    store,
    kept.map(({ output }) => output),
  );
  const entries = kept.map(({ index, outcome }, position) => ({
    ...{ index, item: null, iteration: KEPT },
    outcome: { ...outcome, output: values[position] ?? null },
  }));
  const { changes } = outcomeChanges(created.id, 1, entries, []);
  const document: RunDocument = { ...created, records: 1, kept_from: run_id };
  const { progress } = await replayOn(after, document, entries);
  return { document, changes, show: (first) => showRunning(first, after, progress) };
}

/** What to commit for a run: its document with its rows, and what its end leaves of its journal. Pure. */

import type { Change, Key, RowChange } from "../../ports/store.ts";
import type { RunError, RunStatus } from "../../runs/run.ts";
import { AWAITING, activeRow, awaitedIn, DUE, runKey, runRows } from "../../runs/run-rows.ts";
import { dueRow } from "../../time/durable-timers.ts";
import type { Plan } from "../compile/plan.ts";
import { inlineOrKey, putLargeValue, valueKey } from "./large-values.ts";
import type { Progress } from "./progress.ts";
import type { RunDocument, StoredStep } from "./run-document.ts";
import { showStep } from "./run-view.ts";

/** The rows that go when a run waits for files no longer. */
export function removeAwaitingRows(document: RunDocument): RowChange[] {
  return awaitingRows(document, true);
}

/**
 * The commit of a run that goes on: its document, its rows.
 * @param before As it is stored, where it is
 */
export function putRun(document: RunDocument, expected: number | undefined, before?: RunDocument): Change {
  const isDueNoMore = before?.due_at !== undefined && document.due_at === undefined;
  return {
    key: runKey(document.id),
    document,
    ...(expected === undefined ? {} : { expected }),
    rows: [
      ...runRows(document),
      activeRow(document.id, document.status !== "waiting"),
      ...awaitingRows(document, false),
      ...(isDueNoMore ? [dueRow(DUE, document.id, null)] : []),
    ],
  };
}

/**
 * What a run leaves when it ends: one document instead of a journal.
 * @param values Documents that hold large outputs already.
 */
export function foldRun(
  document: RunDocument,
  plan: Plan,
  progress: Progress,
  end: { readonly status: RunStatus; readonly error: RunError | null; readonly at: string },
  values: ReadonlySet<Key>,
): { readonly document: RunDocument; readonly changes: readonly Change[]; readonly unused: readonly Key[] } {
  const changes: Change[] = [];
  const unused = new Set(values);
  const steps = plan.steps.map((_, index): StoredStep => {
    const shown = showStep(plan, progress, index, end.at);
    const output = inlineOrKey(shown.output, () => valueKey(document.id, index, progress.iteration(index)));
    if ("at" in output && !unused.delete(output.at))
      for (const change of putLargeValue(output, shown.output)) changes.push(change);
    return { ...shown, output };
  });
  const { status, error, at } = end;
  const last = { ...document, status, error, finished_at: at, steps, leaves: plan.leaves, order: [...progress.order] };
  return { document: last, changes, unused: [...unused] };
}

/** Where a run stands that waits: for files before it begins, or for a moment. */
function awaitingRows({ id, awaiting, due_at }: RunDocument, hasRunEnded: boolean): RowChange[] {
  const lists = awaiting === undefined ? [] : [...awaiting.file_ids.map(awaitedIn), AWAITING];
  return [
    ...lists.map((list): RowChange => (hasRunEnded ? { list, take: id } : { list, put: { id } })),
    ...(due_at === undefined ? [] : [dueRow(DUE, id, hasRunEnded ? null : due_at)]),
  ];
}

/** The commit of a run that has ended. */
export function putEndedRun(document: RunDocument, expected: number | undefined): Change {
  const rows: RowChange[] = [...runRows(document), ...awaitingRows(document, true)];
  if (expected !== undefined) rows.push(activeRow(document.id, false));
  return { key: runKey(document.id), document, ...(expected === undefined ? {} : { expected }), rows };
}

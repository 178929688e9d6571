/** Reads runs from the storage. */
import { notFound, StepwellError } from "../../errors.ts";
import type { Store, Stored } from "../../ports/store.ts";
import { runKey } from "../../runs/run-rows.ts";
import type { RunSnapshot } from "../events/run-events.ts";
import { isLargeValue, loadValues } from "./large-values.ts";
import { readJournal } from "./read-journal.ts";
import type { Replay } from "./replay.ts";
import { countEventsBeforeRetry, isEnded, type RunDocument } from "./run-document.ts";
import { showEnded, showRunning } from "./run-view.ts";

/** @throws StepwellError `not_found` */
export async function getRun(store: Store, runId: string): Promise<Stored<RunDocument>> {
  const found = await store.get<RunDocument>(runKey(runId));
  if (found === null) throw notFound("run", runId);
  return found;
}

/**
 * Reads a consistent snapshot of a run. The journal and large outputs are separate documents, which change together
 * with the run's document. If that has changed during the read, all are read again.
 * @throws StepwellError `not_found`, `conflict`
 */
export async function loadSnapshot(store: Store, replay: Replay, runId: string): Promise<RunSnapshot> {
  for (;;) {
    const { document, version } = await getRun(store, runId);
    const snapshot = await snapshotOf(document, store, replay);
    if (isOneDocument(document) || (await getRun(store, runId)).version === version) return snapshot;
  }
}

/** Whether the document contains the whole run. */
function isOneDocument(document: RunDocument): boolean {
  return isEnded(document) && (document.steps ?? []).every(({ output }) => !isLargeValue(output));
}

async function snapshotOf(document: RunDocument, store: Store, replay: Replay): Promise<RunSnapshot> {
  const eventsBeforeRetry = countEventsBeforeRetry(document);
  if (isEnded(document)) {
    const outputs = (document.steps ?? []).map(({ output }) => output);
    const run = showEnded(document, await loadValues(store, outputs));
    return { run, order: document.order ?? [], eventsBeforeRetry };
  }
  const found = await replay.run(document, (await readJournal(store, document.id)).entries);
  if (!found.ok) throw new StepwellError("conflict", `The run cannot be read: ${found.error.message}`);
  const { plan, progress } = found;
  return { run: showRunning(document, plan, progress), order: progress.order, eventsBeforeRetry };
}

/** Whether a child run's parent has ended without it, because a process crashed between the two. */
export async function isOrphan({ parent_run_id }: RunDocument, store: Store): Promise<boolean> {
  if (parent_run_id === null) return false;
  const parent = await store.get<RunDocument>(runKey(parent_run_id));
  return parent === null || isEnded(parent.document);
}

/** A run as it stands in storage. */
import { StepwellError } from "../../errors.ts";
import type { Store, Stored } from "../../ports/store.ts";
import { runKey } from "../../runs/run-rows.ts";
import type { RunSnapshot } from "../events/run-events.ts";
import { loadValues, readJournal } from "./journal.ts";
import type { Replay } from "./replay.ts";
import { eventsBeforeRetry, isEnded, type RunDocument, showEnded, showRunning } from "./run-document.ts";

/**
 * Reads a run as it stood at one moment. Its journal and large outputs are documents of their own, which change together
 * with that of the run: when this one has changed meanwhile, all are read again.
 */
export async function loadSnapshot(
  find: () => Promise<Stored<RunDocument>>,
  store: Store,
  replay: Replay,
): Promise<RunSnapshot> {
  for (;;) {
    const { document, version } = await find();
    const recorded = await snapshotOf(document, store, replay);
    if (isOneDocument(document) || (await find()).version === version) return recorded;
  }
}

/** Whether one document holds all of a run. */
function isOneDocument(document: RunDocument): boolean {
  return isEnded(document) && (document.steps ?? []).every(({ output }) => "value" in output);
}

async function snapshotOf(document: RunDocument, store: Store, replay: Replay): Promise<RunSnapshot> {
  const before = eventsBeforeRetry(document);
  if (isEnded(document)) {
    const outputs = (document.steps ?? []).map(({ output }) => output);
    return { run: showEnded(document, await loadValues(store, outputs)), order: document.order ?? [], before };
  }
  const found = await replay.run(document, (await readJournal(store, document.id)).entries);
  if ("code" in found) throw new StepwellError("conflict", `The run cannot be read: ${found.message}`);
  return { run: showRunning(document, found.plan, found.progress), order: found.progress.order, before };
}

/** Whether a run was part of one that has ended without it: a process died between the two. */
export async function isOrphan({ parent_run_id }: RunDocument, store: Store): Promise<boolean> {
  if (parent_run_id === null) return false;
  const parent = await store.get<RunDocument>(runKey(parent_run_id));
  return parent === null || isEnded(parent.document);
}

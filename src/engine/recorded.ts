/** A run as it stands in storage. */
import { StepwellError } from "../errors.ts";
import type { Store } from "../ports/store.ts";
import { runKey } from "../runs/run-rows.ts";
import type { Recorded } from "./history.ts";
import { load, readJournal } from "./journal.ts";
import type { Replay } from "./replay.ts";
import { eventsBefore, isOver, type RunDocument, showEnded, showRunning } from "./run-document.ts";

export async function recordedOf(document: RunDocument, store: Store, replay: Replay): Promise<Recorded> {
  const before = eventsBefore(document);
  if (isOver(document)) {
    const outputs = (document.steps ?? []).map(({ output }) => output);
    return { run: showEnded(document, await load(store, outputs)), order: document.order ?? [], before };
  }
  const found = await replay.run(document, (await readJournal(store, document.id)).entries);
  if ("code" in found) throw new StepwellError("conflict", `The run cannot be shown: ${found.message}`);
  return { run: showRunning(document, found.plan, found.progress), order: found.progress.order, before };
}

/** Whether a run was part of one that has ended without it: a process died between the two. */
export async function isOrphan({ parent_run_id }: RunDocument, store: Store): Promise<boolean> {
  if (parent_run_id === null) return false;
  const parent = await store.get<RunDocument>(runKey(parent_run_id));
  return parent === null || isOver(parent.document);
}

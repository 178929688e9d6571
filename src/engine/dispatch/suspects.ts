/** Finds runs that may have crashed the process more than once. */
import { rowIds } from "../../documents/documents.ts";
import type { Store } from "../../ports/store.ts";
import { ACTIVE_RUNS, runKey } from "../../runs/run-rows.ts";
import { readJournal } from "../state/read-journal.ts";
import type { Replay, Replayed } from "../state/replay.ts";
import type { RunDocument } from "../state/run-document.ts";
import { isOrphan } from "../state/run-snapshot.ts";

/** IDs of runs that an earlier start resumed and that have made no progress since, in order of creation. */
export async function findSuspects(store: Store, replay: Replay): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const runId of rowIds(store, ACTIVE_RUNS)) {
    // An unreadable run is not a suspect for now. It doesn't begin either, and must not block the others.
    if (await isSuspect(runId, store, replay).catch(() => false)) found.push(runId);
  }
  return found;
}

async function isSuspect(runId: string, store: Store, replay: Replay): Promise<boolean> {
  const found = await store.get<RunDocument>(runKey(runId));
  if (found?.document.status !== "running") return false;
  const journal = await readJournal(store, runId);
  if (journal.resumesSinceProgress === 0 || (await isOrphan(found.document, store))) return false;
  const replayed = await replay.run(found.document, journal.entries);
  return replayed.ok && hasActiveSteps(replayed);
}

/**
 * Whether any step works by itself. A run that only waits for child runs cannot crash the process; the children can.
 */
export function hasActiveSteps({ plan, ready }: Pick<Replayed, "plan" | "ready">): boolean {
  return ready.some(({ index }) => plan.steps[index]?.step.type !== "workflow");
}

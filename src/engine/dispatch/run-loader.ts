/** Loads a stored run for execution. */
import type { Store } from "../../ports/store.ts";
import type { LoadedRun } from "../execution/execution-types.ts";
import { appendRecord, checkJournal, resumeMarker } from "../state/journal.ts";
import { readJournal } from "../state/read-journal.ts";
import type { Replay } from "../state/replay.ts";
import { isEnded } from "../state/run-document.ts";
import { getRun } from "../state/run-snapshot.ts";
import type { EndAsFailed } from "./end-as-failed.ts";
import { hasActiveSteps } from "./suspects.ts";

export interface RunLoader {
  /**
   * Returns null for a run that has ended. A run that can no longer be executed ends as failed and also returns null.
   * @throws StepwellError `not_found`; `unavailable` if a journal record is lost
   */
  load(runId: string): Promise<LoadedRun | null>;
  /** Says that the storage failed while a run was in memory, so that loading it again doesn't count as a crash. */
  markStorageFailure(runId: string): void;
}

export function createRunLoader(parts: { store: Store; replay: Replay; endAsFailed: EndAsFailed }): RunLoader {
  const { store, replay, endAsFailed } = parts;
  const failed = new Set<string>();

  return {
    markStorageFailure: (runId) => void failed.add(runId),

    async load(runId) {
      const loaded = await load(runId);
      failed.delete(runId);
      return loaded;
    },
  };

  async function load(runId: string): Promise<LoadedRun | null> {
    const found = await getRun(store, runId);
    const { document, version } = found;
    if (isEnded(document)) return null;
    const journal = await readJournal(store, runId);
    checkJournal(runId, journal, document.records);
    const replayed = await replay.run(document, journal.entries);
    if (!replayed.ok) {
      await endAsFailed(found, journal, replayed.error);
      return null;
    }
    let { records } = journal;
    if (document.status === "running" && hasActiveSteps(replayed)) {
      records++;
      // This write also checks that the storage answers again, before any step is executed again.
      await store.commit([failed.has(runId) ? appendRecord(runId, records, []) : resumeMarker(runId, records)]);
    }
    const { plan, progress, ready } = replayed;
    const { substeps, largeValues } = journal;
    return { document, version, plan, progress, substeps, records, largeValues, ready };
  }
}

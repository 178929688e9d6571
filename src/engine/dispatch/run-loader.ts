/** Loads a stored run for execution. */

import { retryOnConflict } from "../../documents/retry-on-conflict.ts";
import type { Change, Store, Stored } from "../../ports/store.ts";
import { runKey } from "../../runs/run-rows.ts";
import type { LoadedRun } from "../execution/execution-types.ts";
import type { Placement } from "../placement/placement.ts";
import { RunElsewhereError } from "../placement/run-elsewhere.ts";
import { crashMessage } from "../state/crash-message.ts";
import {
  appendRecord,
  asNewRecords,
  checkJournal,
  isRecordOf,
  type Journal,
  NO_JOURNAL,
  resumeMarker,
} from "../state/journal.ts";
import { readJournal } from "../state/read-journal.ts";
import type { Replay } from "../state/replay.ts";
import { putRun } from "../state/run-changes.ts";
import { isEnded, placedAt, type RunDocument } from "../state/run-document.ts";
import { getRun } from "../state/run-snapshot.ts";
import { MAX_STRIKES } from "./culprit-search.ts";
import type { EndAsFailed } from "./end-as-failed.ts";
import { hasActiveSteps } from "./suspects.ts";

export interface RunLoader {
  /**
   * Returns null for a run that has ended. A run that can no longer be executed ends as failed and also returns null.
   * @throws StepwellError `not_found`; `unavailable` if a journal record is lost; `conflict` if another process was faster
   * @throws RunElsewhereError if another process that lives executes it
   */
  load(runId: string): Promise<LoadedRun | null>;
  /** Says that the storage failed while a run was in memory, so that loading it again doesn't count as a crash. */
  markStorageFailure(runId: string): void;
}

const LOST_WORKERS = `${MAX_STRIKES} workers were lost while they executed this run, one after the other, and it made no progress.`;

export function createRunLoader(parts: {
  store: Store;
  replay: Replay;
  endAsFailed: EndAsFailed;
  placement: Pick<Placement, "worker" | "isElsewhere">;
}): RunLoader {
  const { store, replay, endAsFailed, placement } = parts;
  const failed = new Set<string>();

  return {
    markStorageFailure: (runId) => void failed.add(runId),

    async load(runId) {
      // Another process may have been faster, or what this one has sent before may have been stored since.
      const loaded = await retryOnConflict(
        (key) => key === runKey(runId) || isRecordOf(runId, key),
        () => load(runId),
      );
      failed.delete(runId);
      return loaded;
    },
  };

  async function load(runId: string): Promise<LoadedRun | null> {
    const found = await getRun(store, runId);
    if (isEnded(found.document)) return null;
    if (await placement.isElsewhere(found.document)) throw new RunElsewhereError(found.document);
    const journal = await journalOf(found);
    if (journal === null) return load(runId);
    const replayed = await replay.run(found.document, journal.entries);
    if (!replayed.ok) {
      await endAsFailed(found, journal, replayed.error);
      return null;
    }
    if (placement.worker !== undefined && journal.resumesSinceProgress >= MAX_STRIKES && hasActiveSteps(replayed)) {
      const error = { code: "poison_run", message: crashMessage(replayed, LOST_WORKERS) };
      await endAsFailed(found, journal, error, replayed);
      return null;
    }
    let { records } = journal;
    const changes: Change[] = [];
    if (found.document.status === "running" && hasActiveSteps(replayed)) {
      records++;
      changes.push(failed.has(runId) ? appendRecord(runId, records, []) : resumeMarker(runId, records));
    }
    const { document, version } = takenOver(found, changes);
    // This write also checks that the storage answers again, before any step is executed again.
    if (changes.length > 0) await store.commit(placement.worker === undefined ? changes : asNewRecords(changes));
    const { plan, progress, ready } = replayed;
    const { substeps, largeValues } = journal;
    return { document, version, plan, progress, substeps, records, largeValues, ready };
  }

  /** Returns the journal of a run; null if the run has changed during the read, which may have deleted the journal. */
  async function journalOf({ document, version }: Stored<RunDocument>): Promise<Journal | null> {
    const { id, records } = document;
    // In a cluster, a run that no worker has had is offered as it was created; each execution raises its version first.
    if (version === 1 && document.worker === null) return NO_JOURNAL;
    try {
      const journal = await readJournal(store, id);
      checkJournal(id, journal, records);
      return journal;
    } catch (error) {
      if ((await getRun(store, id)).version !== version) return null;
      throw error;
    }
  }

  /**
   * Takes over a run of a cluster, no matter which process has executed it: from this commit on, nothing is stored of it that was sent before. That
   * may have been this process, whose commits of before are still on their way.
   */
  function takenOver(found: Stored<RunDocument>, changes: Change[]): Stored<RunDocument> {
    const { document: before, version } = found;
    if (before.status !== "running" || placement.worker === undefined) return found;
    const document = placedAt(before, placement.worker);
    changes.push(putRun(document, version, before));
    return { document, version: version + 1 };
  }
}

/** Enqueues runs that an earlier process left behind, and runs that were evicted because the storage failed in this process. */
import { rowIds } from "../../documents/documents.ts";
import { retryOnConflict } from "../../documents/retry-on-conflict.ts";
import type { Store } from "../../ports/store.ts";
import { ACTIVE_RUNS, runKey } from "../../runs/run-rows.ts";
import type { Background } from "../../time/background.ts";
import type { Placement } from "../placement/placement.ts";
import type { RunRegistry } from "../run-registry.ts";
import { appendRecord, asNewRecords, isRecordOf } from "../state/journal.ts";
import { readJournal } from "../state/read-journal.ts";
import { putRun } from "../state/run-changes.ts";
import { isActive } from "../state/run-document.ts";
import { getRun, isOrphan } from "../state/run-snapshot.ts";
import type { Quarantine } from "./quarantine.ts";
import type { RunRequests } from "./run-requests.ts";

export interface ResumeRuns {
  /** Resumes a run. Does nothing if it is in memory, has ended, or has begun to wait since it was listed. */
  resume(runId: string): Promise<void>;
  /**
   * Resumes a run that was in memory and left it because its stored state had changed, or because the storage did not respond. In a
   * cluster, the run still names this process as its worker, so any worker may take it from then on.
   */
  resumeEvicted(runId: string): Promise<void>;
  /** Resumes suspects first, then the other runs in order of creation. An unreadable run doesn't block the others. */
  resumeAll(): Promise<void>;
}

export function createResumeRuns(parts: {
  store: Store;
  background: Background;
  runs: RunRegistry;
  quarantine: Quarantine;
  requests: RunRequests;
  placement: Pick<Placement, "worker" | "isElsewhere">;
}): ResumeRuns {
  const { store, background, runs, quarantine, requests, placement } = parts;

  async function resume(runId: string): Promise<void> {
    if (await runs.has(runId)) return;
    const found = await getRun(store, runId);
    const { document } = found;
    if (await isOrphan(document, store)) return requests.end(runId, null);
    if (await runs.has(runId)) return;
    // Runs of other workers, and of lost ones, come as jobs.
    const { worker } = placement;
    if (worker !== undefined && typeof document.worker === "string" && document.worker !== worker) return;
    if (isActive(document)) runs.enqueue(found, runs.queueEntryOf(document));
  }

  /** Makes a run that no process executes one that any worker may take. Returns false if another process executes it. */
  async function giveBack(runId: string): Promise<boolean> {
    const { document, version } = await getRun(store, runId);
    if (typeof document.worker !== "string") return true;
    if (await placement.isElsewhere(document)) return false;
    const records = (await readJournal(store, runId)).records + 1;
    // An empty record, because the run is not to blame.
    const record = appendRecord(runId, records, []);
    await store.commit([...asNewRecords([record]), putRun({ ...document, worker: null, records }, version, document)]);
    return true;
  }

  return {
    resume,

    async resumeEvicted(runId) {
      if (await runs.has(runId)) return;
      const isFree = await retryOnConflict(
        (key) => key === runKey(runId) || isRecordOf(runId, key),
        () => giveBack(runId),
      );
      if (isFree && !runs.isClosed()) await resume(runId);
    },

    async resumeAll() {
      await quarantine.runTrial();
      for await (const runId of rowIds(store, ACTIVE_RUNS)) {
        if (runs.isClosed()) return;
        await background.retryUntilDone("runs", () => resume(runId)).tried;
      }
    },
  };
}

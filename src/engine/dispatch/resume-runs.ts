/** Enqueues runs that an earlier process left behind, and runs that were evicted because the storage failed in this process. */
import { rowIds } from "../../documents/documents.ts";
import type { Store } from "../../ports/store.ts";
import { ACTIVE_RUNS } from "../../runs/run-rows.ts";
import type { Background } from "../../time/background.ts";
import type { Placement } from "../placement/placement.ts";
import type { RunRegistry } from "../run-registry.ts";
import { isActive } from "../state/run-document.ts";
import { getRun, isOrphan } from "../state/run-snapshot.ts";
import type { Quarantine } from "./quarantine.ts";
import type { RunRequests } from "./run-requests.ts";

export interface ResumeRuns {
  /** Resumes a run. Does nothing if it is in memory, has ended, or has begun to wait since it was listed. */
  resume(runId: string): Promise<void>;
  /** Resumes suspects first, then the other runs in order of creation. An unreadable run doesn't block the others. */
  resumeAll(): Promise<void>;
}

export function createResumeRuns(parts: {
  store: Store;
  background: Background;
  runs: RunRegistry;
  quarantine: Quarantine;
  requests: RunRequests;
  placement: Pick<Placement, "worker">;
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

  return {
    resume,
    async resumeAll() {
      await quarantine.runTrial();
      for await (const runId of rowIds(store, ACTIVE_RUNS)) {
        if (runs.isClosed()) return;
        await background.retryUntilDone("runs", () => resume(runId)).tried;
      }
    },
  };
}

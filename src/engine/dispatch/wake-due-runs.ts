/** Handles a waiting run that is due: checks for its files, lets it begin, or resumes it, which also enforces its time limit. */
import type { Store } from "../../ports/store.ts";
import { runKey } from "../../runs/run-rows.ts";
import { isAdmitted, type RunDocument } from "../state/run-document.ts";
import type { BeginRuns } from "./begin-runs.ts";
import type { RunRequests } from "./run-requests.ts";
import type { RunsWaitingForFiles } from "./runs-waiting-for-files.ts";

export function createWakeDueRun(parts: {
  store: Store;
  waitingForFiles: RunsWaitingForFiles;
  begin: BeginRuns["begin"];
  requests: RunRequests;
}): (runId: string) => Promise<void> {
  const { store, waitingForFiles, begin, requests } = parts;
  return async (runId) => {
    const found = await store.get<RunDocument>(runKey(runId));
    if (found === null || found.document.status !== "waiting") return;
    if (found.document.awaiting !== undefined) await waitingForFiles.check(runId);
    else if (!isAdmitted(found.document)) await begin(found);
    else await requests.resume(runId);
  };
}

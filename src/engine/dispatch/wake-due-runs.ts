/** Handles a waiting run that is due: checks for its files, or resumes it, which also enforces its time limit. */
import type { Store } from "../../ports/store.ts";
import { runKey } from "../../runs/run-rows.ts";
import type { RunDocument } from "../state/run-document.ts";
import type { RunRequests } from "./run-requests.ts";
import type { RunsWaitingForFiles } from "./runs-waiting-for-files.ts";

export function createWakeDueRun(parts: {
  store: Store;
  waitingForFiles: RunsWaitingForFiles;
  requests: RunRequests;
}): (runId: string) => Promise<void> {
  const { store, waitingForFiles, requests } = parts;
  return async (runId) => {
    const found = await store.get<RunDocument>(runKey(runId));
    if (found === null || found.document.status !== "waiting") return;
    if (found.document.awaiting !== undefined) await waitingForFiles.check(runId);
    else await requests.resume(runId);
  };
}

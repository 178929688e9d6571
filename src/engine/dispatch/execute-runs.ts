/** Executes runs in the background, retrying until the required reads and writes of the storage succeed. */
import type { Background } from "../../time/background.ts";
import type { Execution } from "../execution/execution-types.ts";
import { RunElsewhereError } from "../placement/run-elsewhere.ts";
import type { RunRegistry } from "../run-registry.ts";
import type { RunDocument } from "../state/run-document.ts";

export interface ExecuteRuns {
  execute(execution: Execution): void;
  /** Executes a stored run that has a slot. */
  executeStored(document: RunDocument): void;
}

export function createExecuteRuns(parts: {
  background: Background;
  runs: RunRegistry;
  appExists(appId: string): Promise<boolean>;
}): ExecuteRuns {
  const { background, runs, appExists } = parts;

  /**
   * Runs of a deleted app are canceled one by one. Each cancellation frees a slot, in which the next of them must not start.
   */
  async function executeOrCancel(execution: Execution): Promise<void> {
    if (await appExists(execution.appId)) await execution.execute();
    else await execution.end(null);
  }

  async function loadAndExecute(runId: string): Promise<void> {
    if (runs.isClosed()) return;
    const execution = await loadHere(runId);
    if (execution === null) runs.releaseSlot(runId);
    else if (!runs.isClosed()) await executeOrCancel(execution);
  }

  /** Returns null if the run has ended, or if another process of the cluster executes it. */
  async function loadHere(runId: string): Promise<Execution | null> {
    try {
      return await runs.load(runId);
    } catch (error) {
      if (error instanceof RunElsewhereError) return null;
      throw error;
    }
  }

  return {
    execute: (execution) => void background.retryUntilDone("runs", () => executeOrCancel(execution)),
    executeStored: ({ id }) => void background.retryUntilDone("runs", () => loadAndExecute(id)),
  };
}

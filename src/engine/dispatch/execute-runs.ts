/** Executes runs in the background, until what has to be read and stored for that has succeeded. */
import type { Background } from "../../time/startup-tasks.ts";
import type { Execution } from "../execution/execution-types.ts";
import type { RunsInMemory } from "../runs-in-memory.ts";
import type { RunDocument } from "../state/run-document.ts";

export interface ExecuteRuns {
  execute(execution: Execution): void;
  /** A stored run that has been admitted to its slot. */
  executeStored(document: RunDocument): void;
}

export function createExecuteRuns(parts: {
  background: Background;
  runs: RunsInMemory;
  isAppThere(appId: string): Promise<boolean>;
}): ExecuteRuns {
  const { background, runs, isAppThere } = parts;

  /** The runs of a removed app are canceled one by one: none of those that come next because of that may begin. */
  async function executeOrCancel(execution: Execution): Promise<void> {
    if (await isAppThere(execution.appId)) await execution.execute();
    else await execution.end(null);
  }

  async function loadAndExecute(runId: string): Promise<void> {
    if (runs.isClosed()) return;
    const execution = await runs.load(runId);
    if (execution === null) runs.releaseSlot(runId);
    else if (!runs.isClosed()) await executeOrCancel(execution);
  }

  return {
    execute: (execution) => void background.keepTrying("runs", () => executeOrCancel(execution)),
    executeStored: ({ id }) => void background.keepTrying("runs", () => loadAndExecute(id)),
  };
}

/** What callers ask of stored runs, which are loaded for that. Nothing is asked before it is known which runs may begin. */
import { StepwellError } from "../../errors.ts";
import type { JsonValue } from "../../json.ts";
import type { RunError } from "../../runs/run.ts";
import type { Execution } from "../execution/execution-types.ts";
import type { RunsInMemory } from "../runs-in-memory.ts";
import type { Quarantine } from "./quarantine.ts";

export interface RunRequests {
  /** Ends a run as failed, or as canceled without an error; one that has ended stays as it is. Settles when that is stored. */
  end(runId: string, error: RunError | null): Promise<void>;
  /** A run that waited continues, now or when its slot is admitted. */
  resume(runId: string): Promise<void>;
  /**
   * Gives a step the input that it waits for.
   * @throws StepwellError `conflict` when it does not wait, or the run has ended.
   */
  provide(runId: string, index: number, value: JsonValue): Promise<void>;
}

export function createRunRequests(parts: { runs: RunsInMemory; quarantine: Quarantine }): RunRequests {
  const { runs, quarantine } = parts;

  async function ask(runId: string, request: (execution: Execution | null) => Promise<boolean>): Promise<void> {
    const planned = quarantine.untilPlanned();
    if (planned !== null) await planned;
    await runs.ask(runId, request);
  }

  return {
    end: (runId, error) => ask(runId, async (execution) => execution === null || execution.end(error)),
    resume: (runId) => ask(runId, async (execution) => execution === null || execution.resume()),
    provide: (runId, index, value) =>
      ask(runId, async (execution) => {
        if (execution === null) throw new StepwellError("conflict", "The run has ended.");
        return execution.provide(index, value);
      }),
  };
}

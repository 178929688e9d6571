/** Loads stored runs to carry out callers' requests, once the quarantine has decided which runs may begin. */
import type { ReceivedEvent } from "../../app-events/app-event.ts";
import { isStepwellError, StepwellError } from "../../errors.ts";
import type { JsonValue } from "../../json.ts";
import type { RunError } from "../../runs/run.ts";
import type { InputWait } from "../../runs/run-executor.ts";
import type { Execution } from "../execution/execution-types.ts";
import type { RunRegistry } from "../run-registry.ts";
import type { Quarantine } from "./quarantine.ts";

export interface RunRequests {
  /** Ends a run as failed, or as canceled if `error` is null. Does nothing if it has ended. Resolves when stored. */
  end(runId: string, error: RunError | null): Promise<void>;
  /** Resumes a waiting run, immediately or when it gets a slot. */
  resume(runId: string): Promise<void>;
  /**
   * Settles the steps of a run that wait for one of these events. Returns their number for each event; 0 if the run has ended
   * or been deleted.
   */
  receive(runId: string, events: readonly ReceivedEvent[]): Promise<readonly number[]>;
  /**
   * Provides the input that a step waits for.
   * @param wait The wait that the value is for. @default the current one
   * @throws StepwellError `conflict` if the step is not waiting, or the run has ended.
   */
  provide(runId: string, index: number, value: JsonValue, wait?: InputWait): Promise<void>;
}

export function createRunRequests(parts: { runs: RunRegistry; quarantine: Quarantine }): RunRequests {
  const { runs, quarantine } = parts;

  async function send(runId: string, request: (execution: Execution | null) => Promise<boolean>): Promise<void> {
    const planned = quarantine.untilPlanned();
    if (planned !== null) await planned;
    await runs.send(runId, request);
  }

  return {
    end: (runId, error) => send(runId, async (execution) => execution === null || execution.end(error)),
    resume: (runId) => send(runId, async (execution) => execution === null || execution.resume()),
    async receive(runId, events) {
      let settled = events.map(() => 0);
      try {
        await send(runId, async (execution) => {
          if (execution === null) return true;
          const received = await execution.receive(events);
          settled = settled.map((count, index) => count + (received.settled[index] ?? 0));
          return received.isComplete;
        });
      } catch (error) {
        if (!isStepwellError(error, "not_found")) throw error; // otherwise it was deleted
      }
      return settled;
    },
    provide: (runId, index, value, wait) =>
      send(runId, async (execution) => {
        if (execution === null) throw new StepwellError("conflict", "The run has ended.");
        return execution.provide(index, value, wait);
      }),
  };
}

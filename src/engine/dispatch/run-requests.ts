/**
 * Carries out callers' requests to runs: loads stored runs, once the quarantine has decided which may begin, and asks the
 * process that executes a run if that is another one.
 */
import type { ReceivedEvent } from "../../app-events/app-event.ts";
import { isStepwellError, StepwellError } from "../../errors.ts";
import type { JsonValue } from "../../json.ts";
import type { Change } from "../../ports/store.ts";
import type { RunError } from "../../runs/run.ts";
import type { InputWait } from "../../runs/run-executor.ts";
import type { Execution } from "../execution/execution-types.ts";
import type { Placement, RunRequest } from "../placement/placement.ts";
import { RunElsewhereError } from "../placement/run-elsewhere.ts";
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
   * @param changes To be committed with it.
   * @throws StepwellError `conflict` if the step is not waiting, or the run has ended.
   */
  provide(runId: string, index: number, value: JsonValue, wait?: InputWait, changes?: readonly Change[]): Promise<void>;
}

export function createRunRequests(parts: {
  runs: RunRegistry;
  quarantine: Quarantine;
  placement: Pick<Placement, "ask">;
}): RunRequests {
  const { runs, quarantine, placement } = parts;

  /**
   * @param carryOut Receives null if the run has ended. Returns false if the run has left memory without it.
   * @returns Of a request to another process, the number of steps that each event has settled.
   */
  async function send(
    runId: string,
    request: RunRequest,
    carryOut: (execution: Execution | null) => Promise<boolean>,
  ): Promise<readonly number[]> {
    const planned = quarantine.untilPlanned();
    if (planned !== null) await planned;
    for (;;) {
      try {
        await runs.send(runId, carryOut);
        return [];
      } catch (error) {
        if (!(error instanceof RunElsewhereError)) throw error;
        const asked = await placement.ask(error.document, request);
        if (asked.kind === "done") return asked.settled;
      }
    }
  }

  return {
    async end(runId, error) {
      await send(runId, { kind: "end", error }, async (execution) => execution === null || execution.end(error));
    },
    async resume(runId) {
      await send(runId, { kind: "resume" }, async (execution) => execution === null || execution.resume());
    },
    async receive(runId, events) {
      let settled = events.map(() => 0);
      const add = (counts: readonly number[]) => {
        settled = settled.map((count, index) => count + (counts[index] ?? 0));
      };
      try {
        const elsewhere = await send(runId, { kind: "receive", events }, async (execution) => {
          if (execution === null) return true;
          const received = await execution.receive(events);
          add(received.settled);
          return received.isComplete;
        });
        add(elsewhere);
      } catch (error) {
        if (!isStepwellError(error, "not_found")) throw error; // otherwise it was deleted
      }
      return settled;
    },
    async provide(runId, index, value, wait, changes) {
      await send(runId, { kind: "provide", index, value, wait }, async (execution) => {
        if (execution === null) throw new StepwellError("conflict", "The run has ended.");
        return execution.provide(index, value, wait, changes);
      });
    },
  };
}

/** Starts the failure workflows of runs that have failed, each once, however often the process dies. */
import { isStepwellError } from "../../errors.ts";
import type { JsonObject } from "../../json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Hash } from "../../ports/hash.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Store } from "../../ports/store.ts";
import { isRefused, type PrepareRun } from "../../runs/prepare-run.ts";
import { summaryOf } from "../../runs/run.ts";
import type { Executor } from "../../runs/run-executor.ts";
import { FAILED_RUNS, runKey } from "../../runs/run-rows.ts";
import { type Alarms, createDurableTimers, type DurableTimers } from "../../time/durable-timers.ts";
import { putEndedRun } from "../state/run-changes.ts";
import type { RunDocument } from "../state/run-document.ts";

export function createFailureRuns(parts: {
  store: Store;
  clock: Clock;
  logger: Logger;
  hash: Hash;
  prepare: PrepareRun;
  alarms: Alarms | undefined;
  start: Executor["start"];
}): DurableTimers {
  const { store, clock, logger, alarms, hash, prepare, start } = parts;

  async function startFor(runId: string): Promise<void> {
    const found = await store.get<RunDocument>(runKey(runId));
    if (found === null || found.document.handle_failure_at === undefined) return;
    const { document, version } = found;
    const { handle_failure_at: _, ...handled } = document;
    const after = putEndedRun(handled, version, document);
    const { on_failure } = document;
    if (on_failure === undefined || (await isBelowFailureRun(document))) return store.commit([after]);
    const { retries = 0 } = document;
    const id = `run_${hash.sha256(`${runId}/failure/${retries}`).slice(0, 26)}`;
    const create = { input: { ...on_failure.input, run: failedRun(document) } };
    try {
      const prepared = await prepare(document.app_id, on_failure.workflow_id, create, { type: "failure", id: runId });
      await start({ ...prepared, id }, () => [after]);
    } catch (error) {
      if (!isRefused(error)) throw error;
      logger.warn("could not run a failure workflow", { run: runId, workflow: on_failure.workflow_id, error });
      await store.commit([after]);
    }
  }

  /** A failure workflow that fails must not run itself, directly or through what it starts. */
  async function isBelowFailureRun(document: RunDocument): Promise<boolean> {
    for (let run: RunDocument | undefined = document; run !== undefined; ) {
      if (run.trigger.type === "failure") return true;
      const above: string | undefined = run.parent_run_id ?? run.root_run_id;
      run = above === undefined ? undefined : (await store.get<RunDocument>(runKey(above)))?.document;
    }
    return false;
  }

  return createDurableTimers({
    ...{ store, clock, logger, alarms, list: FAILED_RUNS },
    dueOf: async (runId) => (await store.get<RunDocument>(runKey(runId)))?.document.handle_failure_at ?? null,
    async onDue(runId) {
      try {
        await startFor(runId);
      } catch (error) {
        // The failed run was retried or deleted meanwhile.
        if (!isStepwellError(error, "conflict") || error.key !== runKey(runId)) throw error;
      }
    },
  });
}

/** The failed run as the failure workflow sees it: without steps, output and request. */
function failedRun(document: RunDocument): JsonObject {
  return JSON.parse(JSON.stringify({ ...summaryOf(document), input: document.input })) as JsonObject; // a plain copy
}

/** Lets stored runs begin: when their time has come, their files have arrived, or another run has ended. */
import { rowIds } from "../../documents/documents.ts";
import { isStepwellError } from "../../errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Change, Store, Stored } from "../../ports/store.ts";
import { HELD_RUNS, runKey } from "../../runs/run-rows.ts";
import type { DurableTimers } from "../../time/durable-timers.ts";
import { instant } from "../../time/iso.ts";
import type { Background } from "../../time/startup-tasks.ts";
import type { Admission, Decision } from "../admission/admission.ts";
import { overtakenRuns } from "../admission/concurrency-limit.ts";
import type { RunRegistry } from "../run-registry.ts";
import { putRun } from "../state/run-changes.ts";
import { asBegun, type RunDocument } from "../state/run-document.ts";
import type { RunQueue } from "./run-queue.ts";

export interface BeginRuns {
  /**
   * Decides about a stored run that has not begun.
   * @param next The run with its files. @default as stored
   */
  begin(found: Stored<RunDocument>, next?: RunDocument): Promise<void>;
  /**
   * Decides about a run that is retried.
   * @param changes Committed with the run.
   * @throws StepwellError `conflict` if it has changed; `too_many_requests`
   */
  retry(found: Stored<RunDocument>, next: RunDocument, changes: readonly Change[]): Promise<void>;
  /** Lets runs begin that an ended run held back. */
  onRunEnded(document: RunDocument): void;
  /** Lets all held back runs begin that may, because an earlier process may have ended before it did. */
  beginHeld(): Promise<void>;
}

/** The name of the task in logs. */
const TASK = "held runs";

export function createBeginRuns(parts: {
  store: Store;
  clock: Clock;
  background: Background;
  queue: RunQueue;
  runs: RunRegistry;
  admission: Admission;
  timers: Pick<DurableTimers, "set">;
  /** Called for runs that a newer one overtakes. */
  onOvertaken(runId: string): void;
}): BeginRuns {
  const { store, clock, background, queue, runs, admission, timers, onOvertaken } = parts;

  async function put(
    { document: before, version }: Stored<RunDocument>,
    decision: Decision,
    enter: RunQueue["enter"],
    changes: readonly Change[] = [],
  ): Promise<void> {
    if (decision.kind === "skipped") throw new Error("A stored run cannot be skipped.");
    const queueEntry = decision.kind === "begins" ? enter(decision.document) : null;
    const status = queueEntry?.hasSlot === true ? "running" : "queued";
    const next = queueEntry === null ? decision.document : asBegun(decision.document, status, instant(clock.now()));
    const change = putRun(next, version, before);
    try {
      await store.commit([change, ...decision.changes, ...changes]);
    } catch (error) {
      queueEntry?.release();
      throw error;
    }
    if (queueEntry !== null) runs.enqueue(next, queueEntry);
    else if (next.due_at !== undefined) timers.set(next.due_at);
  }

  /** Does nothing if another operation has changed or ended the run first, which decides what happens to it. */
  async function putUnlessChanged(found: Stored<RunDocument>, decision: Decision): Promise<void> {
    try {
      await put(found, decision, queue.reenter);
    } catch (error) {
      if (!isStepwellError(error, "conflict") || error.key !== runKey(found.document.id)) throw error;
    }
  }

  const admitHeld = (workflowId: string, key: string) => admission.admitHeld(workflowId, key, putUnlessChanged);

  return {
    begin: (found, next = found.document) => admission.decide(next, (decision) => putUnlessChanged(found, decision)),

    retry: (found, next, changes) => admission.decide(next, (decision) => put(found, decision, queue.enter, changes)),

    onRunEnded({ workflow_id, concurrency }) {
      if (concurrency?.state !== "counted") return;
      void background.retryUntilDone(TASK, () => admitHeld(workflow_id, concurrency.key));
    },

    async beginHeld() {
      const known = new Set<string>();
      for await (const runId of rowIds(store, HELD_RUNS)) {
        const document = (await store.get<RunDocument>(runKey(runId)))?.document;
        const concurrency = document?.concurrency;
        if (document === undefined || concurrency === undefined || known.has(concurrency.key)) continue;
        known.add(concurrency.key);
        if (concurrency.strategy === "cancel_oldest")
          for (const id of await overtakenRuns(store, document, concurrency)) onOvertaken(id);
        await admitHeld(document.workflow_id, concurrency.key);
      }
    },
  };
}

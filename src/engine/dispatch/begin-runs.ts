/** Lets runs begin, or stores how they wait: new ones, and stored ones when their time has come or another run has ended. */
import { rowIds } from "../../documents/documents.ts";
import { isStepwellError } from "../../errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Change, Store, Stored } from "../../ports/store.ts";
import { HELD_RUNS, runKey } from "../../runs/run-rows.ts";
import type { Background } from "../../time/background.ts";
import type { DurableTimers } from "../../time/durable-timers.ts";
import { instant } from "../../time/iso.ts";
import type { Admission, Decision } from "../admission/admission.ts";
import type { EventBus } from "../events/event-bus.ts";
import type { Placement } from "../placement/placement.ts";
import type { RunRegistry } from "../run-registry.ts";
import { putRun } from "../state/run-changes.ts";
import { asBegun, placedAt, type RunDocument, withoutPastTime } from "../state/run-document.ts";
import type { RunQueue } from "./run-queue.ts";

export interface BeginRuns {
  /**
   * Stores what is decided about a run, and executes it as soon as it has a slot if it begins.
   * @param commit Stores the run as it is then, with the changes of the decision.
   */
  store<T>(decision: Decision, place: NewPlace, commit: (document: RunDocument) => Promise<T>): Promise<T>;
  /**
   * Decides about a stored run that has not begun. Does nothing if another operation has changed or ended it first.
   * @param next The run with its files. @default as stored
   */
  begin(found: Stored<RunDocument>, next?: RunDocument): Promise<void>;
  /**
   * Decides about a run that is retried.
   * @param commit Commits the run with these changes.
   * @throws StepwellError `conflict` if it has changed; `too_many_requests`
   */
  retry(
    found: Stored<RunDocument>,
    next: RunDocument,
    commit: (changes: readonly Change[]) => Promise<void>,
  ): Promise<void>;
  /** Lets runs begin that an ended run held back. */
  onRunEnded(document: RunDocument): void;
  /** Lets held back runs begin where they may now. An earlier process may have died before it did so. */
  beginHeld(): Promise<void>;
}

/** How a run gets its place. */
export interface NewPlace {
  /** Enters it into the queue. */
  readonly enter: RunQueue["enter"];
  /** The version that its document will have. */
  readonly version: number;
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
  bus: Pick<EventBus, "refresh">;
  placement: Pick<Placement, "worker">;
}): BeginRuns {
  const { store, clock, background, queue, runs, admission, timers, bus, placement } = parts;

  async function storeDecided<T>(
    { kind, document }: Decision,
    { enter, version }: NewPlace,
    commit: (document: RunDocument) => Promise<T>,
  ): Promise<T> {
    const queueEntry = kind === "begins" ? enter(document) : null;
    const status = queueEntry?.hasSlot === true ? "running" : "queued";
    const begun = queueEntry === null ? document : asBegun(document, status, instant(clock.now()));
    const next = placedAt(begun, placement.worker);
    const result = await runs.store({ document: next, version }, queueEntry, () => commit(next));
    if (next.due_at !== undefined) timers.set(next.due_at);
    // The run that it waits for may have ended in another process before this one was stored.
    if (placement.worker !== undefined && next.concurrency?.state === "queued") admitHeld(next);
    return result;
  }

  function decideStored(
    { document: before, version }: Stored<RunDocument>,
    next: RunDocument,
    enter: RunQueue["enter"],
    commit: (changes: readonly Change[]) => Promise<void>,
  ): Promise<void> {
    return admission.withKeys(next, async () => {
      const decision = await admission.decideStored(next);
      await storeDecided(decision, { enter, version: version + 1 }, async (document) => {
        await commit([putRun(document, version, before), ...decision.changes]);
        // Its first steps may settle as it begins.
        bus.refresh(document.id);
      });
    });
  }

  async function begin(found: Stored<RunDocument>, next = found.document): Promise<void> {
    try {
      await decideStored(found, withoutPastTime(next, clock.now()), queue.reenter, store.commit);
    } catch (error) {
      if (!isStepwellError(error, "conflict") || error.key !== runKey(found.document.id)) throw error;
    }
  }

  function admitHeld({ workflow_id, concurrency }: RunDocument): void {
    if (concurrency === undefined) return;
    void background.retryUntilDone(TASK, () => admission.admitHeld(workflow_id, concurrency.key, begin));
  }

  return {
    store: storeDecided,
    begin,

    retry: (found, next, commit) => decideStored(found, next, queue.enter, commit),

    onRunEnded(document) {
      if (document.concurrency?.state === "counted") admitHeld(document);
    },

    async beginHeld() {
      const known = new Set<string>();
      for await (const runId of rowIds(store, HELD_RUNS)) {
        const document = (await store.get<RunDocument>(runKey(runId)))?.document;
        const concurrency = document?.concurrency;
        if (document === undefined || concurrency === undefined) continue;
        const group = `${concurrency.strategy} ${concurrency.key}`;
        if (known.has(group)) continue;
        known.add(group);
        await admission.cancelOvertaken(document);
        await admission.admitHeld(document.workflow_id, concurrency.key, begin);
      }
    },
  };
}

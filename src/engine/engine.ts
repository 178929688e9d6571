/** The engine: starts runs, executes them, resumes them after a crash or a wait, and evicts those that only wait. */

import type { Cluster } from "../cluster/cluster.ts";
import { StepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import type { Ids } from "../ports/ids.ts";
import type { Logger } from "../ports/logger.ts";
import type { Store } from "../ports/store.ts";
import type { PrepareRun } from "../runs/prepare-run.ts";
import type { CompleteInput, FindFiles } from "../runs/resolve-input.ts";
import type { Executor } from "../runs/run-executor.ts";
import { DUE_RUNS, runKey } from "../runs/run-rows.ts";
import type { Telemetry } from "../runs/telemetry.ts";
import type { Background } from "../time/background.ts";
import { createDurableTimers } from "../time/durable-timers.ts";
import type { Version } from "../workflows/version.ts";
import { createAdmission } from "./admission/admission.ts";
import { createDebounce } from "./admission/debounce.ts";
import { createDecisionLock } from "./admission/decision-lock.ts";
import { createDescendantLimit } from "./admission/descendant-limit.ts";
import type { VersionCache } from "./compile/version-cache.ts";
import { createBeginRuns } from "./dispatch/begin-runs.ts";
import { createEndAsFailed } from "./dispatch/end-as-failed.ts";
import { createEventLookbacks } from "./dispatch/event-lookbacks.ts";
import { createExecuteRuns } from "./dispatch/execute-runs.ts";
import { createFailureRuns } from "./dispatch/failure-runs.ts";
import { createParentRuns } from "./dispatch/parent-runs.ts";
import { createQuarantine, NO_QUARANTINE } from "./dispatch/quarantine.ts";
import { createResumeRuns } from "./dispatch/resume-runs.ts";
import { createRetryRun } from "./dispatch/retry-runs.ts";
import { createRunCompletion } from "./dispatch/run-completion.ts";
import { createRunLoader } from "./dispatch/run-loader.ts";
import { createRunQueue, offeringQueue, type QueueLoad, type RunQueueLimits } from "./dispatch/run-queue.ts";
import { createRunRequests } from "./dispatch/run-requests.ts";
import { createRunsWaitingForFiles } from "./dispatch/runs-waiting-for-files.ts";
import { createStartRun } from "./dispatch/start-run.ts";
import { createWakeDueRun } from "./dispatch/wake-due-runs.ts";
import type { EngineHandlers } from "./engine-events.ts";
import { createEventBus } from "./events/event-bus.ts";
import type { RunSnapshot } from "./events/run-events.ts";
import { RunExecution } from "./execution/execution.ts";
import type { ExecutionContext } from "./execution/execution-types.ts";
import type { Effects } from "./execution/step-context.ts";
import { createInspectRun } from "./inspection/inspected-run.ts";
import { createInspector } from "./inspection/inspector.ts";
import { type ClusterPlacement, createClusterPlacement } from "./placement/cluster-placement.ts";
import { ALONE, type Placement } from "./placement/placement.ts";
import { createRunRegistry } from "./run-registry.ts";
import { deleteRun } from "./state/delete-run.ts";
import { createReplay } from "./state/replay.ts";
import { isAdmitted, isEnded, type RunDocument } from "./state/run-document.ts";
import { getRun, loadSnapshot } from "./state/run-snapshot.ts";
import type { VersionUses } from "./state/version-uses.ts";
import { closingError } from "./step-error.ts";

export interface Engine extends Executor {
  /** Starts the timers of runs. */
  startTimers(): Promise<void>;
  /** Resume what an earlier process, or a lost one of the cluster, has left behind. By the names of the parts. */
  readonly resumes: Readonly<Record<string, () => Promise<unknown>>>;
  /** Null without a cluster. */
  readonly placement: ClusterPlacement | null;
  /** Stops all runs in memory without storing anything more, because other processes may have taken over. */
  abandonAll(): void;
  /** How many runs execute and how many are queued. */
  load(): QueueLoad;
  /** Starts nothing further, waits for running steps, and stores the interruption of the others. */
  close(limits: EngineCloseLimits): Promise<void>;
}

export interface EngineCloseLimits {
  /** When it resolves, running steps are interrupted. */
  readonly stepsTimeUp: Promise<void>;
  /** When it resolves, nothing waits for the storage any longer. */
  readonly storageTimeUp: Promise<void>;
}

export function createEngine(parts: {
  store: Store;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  background: Background;
  limits: RunQueueLimits & { readonly runTimeoutMs: number; readonly descendantRuns: number };
  /** Set if other processes use the store, too. */
  cluster: Cluster | undefined;
  telemetry: Telemetry | undefined;
  compiled: VersionCache;
  appExists(appId: string): Promise<boolean>;
  /** Whether this process has deleted the app. True from before the deletion resolves. */
  isAppDeleted(appId: string): boolean;
  findVersion(versionId: string): Promise<Version | null>;
  versionUses: VersionUses;
  findFiles: FindFiles;
  completeInput: CompleteInput;
  prepare: PrepareRun;
  openConnection: Effects["openConnection"];
  hash: Hash;
  /** Creates what steps may use. @param engine Starts child runs. */
  effects(engine: Executor): Effects;
}): Engine {
  const { store, clock, logger, background, cluster, versionUses } = parts;
  const limits = cluster === undefined ? parts.limits : limitsIn(cluster, parts.limits);
  const { runTimeoutMs } = limits;

  /** Handles events from lower parts, which call only what was created before them. */
  const handlers: EngineHandlers = {
    onOutcomeStored(runId) {
      quarantine.endTrialOf(runId);
      placement.onOutcomeStored(runId);
    },

    onEventWaitsStored: (appId, runId) => lookbacks.wake(appId, runId),

    onRunExit(runId, reason) {
      runs.evict(runId);
      quarantine.endTrialOf(runId);
      switch (reason.kind) {
        case "queued":
          return runs.enqueue(reason.stored, runs.queueEntryOf(reason.stored.document));
        case "waiting": {
          const { document } = reason.stored;
          if (document.due_at !== undefined) timers.set(document.due_at);
          runs.releaseSlot(runId);
          return parents.onEvicted(document);
        }
        case "ended":
          completion.resolve(reason.document, reason.show);
          return runs.releaseSlot(runId);
        case "changed":
          runs.releaseSlot(runId);
          return resumeEvicted(runId);
        case "storage_failed":
          completion.reject(runId, reason.error);
          runs.releaseSlot(runId);
          if (reason.error.code !== "unavailable") return;
          loader.markStorageFailure(runId);
          resumeEvicted(runId);
      }
    },

    onRunSlot: (document) => executeRuns.executeStored(document),

    onRunDue: (runId) => wakeDueRun(runId),

    onRunEnded(document) {
      placement.onEnded(document.id);
      if (document.handle_failure_at !== undefined) failureRuns.set(document.handle_failure_at);
      beginRuns.onRunEnded(document);
      parents.onRunEnded(document);
    },

    onRunOvertaken: (runId) => void background.retryUntilDone("overtaken runs", () => requests.end(runId, null)),
  };

  function resumeEvicted(runId: string): void {
    void background.retryUntilDone("runs", () => resumeRuns.resumeEvicted(runId));
  }

  const bus = createEventBus();
  const completion = createRunCompletion({ ...parts, onRunEnded: handlers.onRunEnded });
  const replay = createReplay(parts);
  const clustered =
    cluster === undefined
      ? null
      : createClusterPlacement({ ...parts, cluster, bus, completion, resumeEvicted, runs: () => runs });
  const placement: Placement = clustered ?? ALONE;
  const queueHere = createRunQueue(limits, clock, clustered === null ? undefined : () => clustered.queue().queued);
  const queue = clustered === null || !clustered.offersAll ? queueHere : offeringQueue(queueHere);
  const endAsFailed = createEndAsFailed({ store, clock, completion, bus });
  const loader = createRunLoader({ store, replay, endAsFailed, placement });
  const timers = createDurableTimers({
    ...{ store, clock, logger, alarms: cluster?.alarms, list: DUE_RUNS },
    dueOf: async (runId) => (await store.get<RunDocument>(runKey(runId)))?.document.due_at ?? null,
    onDue: handlers.onRunDue,
  });
  const runs = createRunRegistry({
    ...{ queue, queueHere, handlers, load: loader.load, offer: placement.offer },
    createExecution(loaded) {
      completion.expect(loaded.document.id);
      return new RunExecution(loaded, context);
    },
  });
  const executeRuns = createExecuteRuns({ background, runs, appExists: parts.appExists });
  const { execute } = executeRuns;
  const quarantine =
    cluster === undefined
      ? createQuarantine({ store, clock, logger, queue, runs, replay, endAsFailed, execute })
      : NO_QUARANTINE;
  const requests = createRunRequests({ runs, quarantine, placement });
  const lookbacks = createEventLookbacks({ store, background, requests, runs });
  const parents = createParentRuns({ store, background, runs, requests });
  const resumeRuns = createResumeRuns({ store, background, runs, quarantine, requests, placement });
  const onOvertaken = handlers.onRunOvertaken;
  const lock = createDecisionLock({ store, clock, isShared: cluster !== undefined });
  const admission = createAdmission({ store, clock, lock, maxQueued: limits.queuedRuns, onOvertaken });
  const beginRuns = createBeginRuns({ store, clock, background, queue, runs, admission, timers, bus, placement });
  const { begin } = beginRuns;
  const waitingForFiles = createRunsWaitingForFiles({ ...parts, begin, requests, timers });
  const wakeDueRun = createWakeDueRun({ store, waitingForFiles, begin, requests });
  const startRun = createStartRun({
    ...{ store, clock, hash: parts.hash, compiled: parts.compiled, queue, runs, completion, waitingForFiles, timers },
    ...{ versionUses, placement, onEventWaitsStored: handlers.onEventWaitsStored },
    ...{ admission, beginRuns, replay, runTimeoutMs, debounce: createDebounce({ store, lock }) },
    show: async (runId) => (await snapshot(runId)).run,
    descendants: createDescendantLimit(store, limits.descendantRuns),
  });

  const snapshot = async (runId: string): Promise<RunSnapshot> =>
    (await runs.get(runId)?.snapshot()) ?? loadSnapshot(store, replay, runId);

  const engine: Engine = {
    inspector: createInspector({ ...parts, inspect: createInspectRun({ store, clock, replay, execution: runs.get }) }),
    start(run, receipt) {
      const planned = quarantine.untilPlanned();
      return planned === null ? startRun(run, receipt) : planned.then(() => startRun(run, receipt));
    },

    resume: resumeRuns.resume,
    get: async (runId) => (await snapshot(runId)).run,

    waitForEnd(runId, signal) {
      const hasEnded = async () => runs.get(runId) === undefined && isEnded((await getRun(store, runId)).document);
      return completion.waitFor(runId, hasEnded, signal);
    },

    isInMemory: (appId, runId) => runs.get(runId)?.appId === appId,
    async *events(runId, after, signal) {
      const release = placement.follow(runId);
      try {
        yield* bus.follow(runId, after, () => snapshot(runId), signal);
      } finally {
        release();
      }
    },
    cancel: (runId) => requests.end(runId, null),
    cancelChild: parents.cancelChild,

    async provide(runId, stepKey, value, wait) {
      const { document } = await getRun(store, runId);
      if (!isAdmitted(document)) throw new StepwellError("conflict", "The run has not started.");
      const planned = await replay.plan(document);
      const index = planned.ok ? (planned.plan.graph.indexOf.get(stepKey) ?? -1) : -1;
      await requests.provide(runId, index, value, wait);
    },

    receive: requests.receive,
    retry: createRetryRun({
      ...{ store, clock, runs, replay, quarantine, parents, beginRuns },
      ...{ versionUses, compiled: parts.compiled },
    }),
    remove: (runId) => deleteRun(store, versionUses, runId),
    onFileReceived: waitingForFiles.checkRunsOf,

    load: queueHere.load,
    placement: clustered,
    abandonAll: runs.abandonAll,

    async startTimers() {
      await Promise.all([timers.start(), failureRuns.start()]);
    },

    resumes: {
      runs: resumeRuns.resumeAll,
      "runs waiting for files": () => quarantine.plan().then(waitingForFiles.checkAll),
      "waits for events": () => quarantine.plan().then(lookbacks.wakeAll),
      "parent runs": () => quarantine.plan().then(parents.checkAll),
      "held runs": () => quarantine.plan().then(beginRuns.beginHeld),
    },

    async close({ stepsTimeUp, storageTimeUp }) {
      const loaded = runs.close();
      quarantine.close();
      const timersStopped = Promise.all([timers.stop(), failureRuns.stop()]);
      // A load in progress would otherwise read from a closed storage.
      await Promise.race([loaded, stepsTimeUp]);
      await Promise.race([runs.suspend(stepsTimeUp), storageTimeUp]);
      await Promise.race([timersStopped, stepsTimeUp]);
      clustered?.close();
      bus.close();
      completion.rejectAll(closingError());
    },
  };
  const failureRuns = createFailureRuns({ ...parts, alarms: cluster?.alarms, start: engine.start });
  /** Assigned last, because steps start child runs through this engine. */
  const context: ExecutionContext = {
    ...{ store, clock, logger, bus, runTimeoutMs, handlers, effects: parts.effects(engine) },
    worker: () => placement.worker,
    isAppDeleted: parts.isAppDeleted,
    takeSlot: (document) => runs.queueEntryOf(document).hasSlot,
  };
  return engine;
}

/** A process that doesn't work has no slots. What is queued is queued for all workers. */
function limitsIn<Limits extends RunQueueLimits>({ works, concurrency }: Cluster, limits: Limits): Limits {
  return { ...limits, concurrentRuns: works ? (concurrency ?? limits.concurrentRuns) : 0 };
}

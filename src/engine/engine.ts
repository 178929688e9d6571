/** Carries out runs: starts them, takes them up again after a crash, and lets go of those that only wait. */

import { rowIds } from "../documents/documents.ts";
import { notFound, StepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { Store, Stored } from "../ports/store.ts";
import type { CompleteInput, FindFiles } from "../runs/resolve-input.ts";
import type { RunError } from "../runs/run.ts";
import type { Executor } from "../runs/run-executor.ts";
import { ACTIVE, DUE, runKey } from "../runs/run-rows.ts";
import type { Telemetry } from "../runs/telemetry.ts";
import { createDurableTimers } from "../time/durable-timers.ts";
import { instant } from "../time/iso.ts";
import type { Background } from "../time/startup-tasks.ts";
import type { Version } from "../workflows/version.ts";
import type { Effects } from "./compile/step-kind.ts";
import type { VersionCache } from "./compile/version-cache.ts";
import { STRIKES } from "./dispatch/culprit-search.ts";
import { createDescendantLimit } from "./dispatch/descendant-limit.ts";
import { createEndAsFailed } from "./dispatch/end-as-failed.ts";
import { createQuarantine } from "./dispatch/quarantine.ts";
import { createRunCompletion } from "./dispatch/run-completion.ts";
import { createRunQueue, type RunQueueLimits, type Slot } from "./dispatch/run-queue.ts";
import { createRunSlots } from "./dispatch/run-slots.ts";
import { createRunsWaitingForFiles } from "./dispatch/runs-waiting-for-files.ts";
import { createStartRun } from "./dispatch/start-run.ts";
import { findSuspects, hasActiveSteps } from "./dispatch/suspects.ts";
import { createDueRuns } from "./dispatch/wake-due-runs.ts";
import { createEventBus } from "./events/event-bus.ts";
import type { RunSnapshot } from "./events/run-events.ts";
import { createExecution } from "./execution/execution.ts";
import type { Execution, LoadedRun } from "./execution/execution-types.ts";
import { appendRecord, readJournal, resumeMarker } from "./state/journal.ts";
import { isOrphan, loadSnapshot } from "./state/load-run.ts";
import { createReplay } from "./state/replay.ts";
import { prepareRetry } from "./state/retry-run.ts";
import { isEnded, type RunDocument } from "./state/run-document.ts";
import { closingError } from "./step-error.ts";

export interface Engine extends Executor {
  /** Takes up, in the background, every run that an earlier process left. */
  resume(): void;
  /** Starts nothing more, and waits for what is under way, so many milliseconds at the most. */
  close(grace: number): Promise<void>;
}

export function createEngine(parts: {
  store: Store;
  clock: Clock;
  logger: Logger;
  background: Background;
  limits: RunQueueLimits & { readonly runTime: number; readonly descendantRuns: number };
  telemetry: Telemetry | undefined;
  compiled: VersionCache;
  isAppThere(appId: string): Promise<boolean>;
  findVersion(versionId: string): Promise<Version | null>;
  findFiles: FindFiles;
  completeInput: CompleteInput;
  /** What steps may use. @param engine For runs that steps start. */
  effects(engine: Executor): Effects;
}): Engine {
  const { store, clock, logger, background, compiled } = parts;
  const queue = createRunQueue(parts.limits);
  const slots = createRunSlots(queue);
  const events = createEventBus();
  const waiters = createRunCompletion(parts);
  const replay = createReplay(parts);
  const awaiting = createRunsWaitingForFiles({
    ...{ ...parts, proceed, fail },
    enter: queue.reenter,
    wake: (moment) => timers.set(moment),
  });
  const due = createDueRuns({ store, wake, look: awaiting.look });
  const timers = createDurableTimers({ store, clock, logger, list: DUE, ...due });
  const endAsFailed = createEndAsFailed({ store, clock, waiters });
  const executions = new Map<string, Execution>();
  /** Runs that are just being read, so that none is taken up twice. */
  const opening = new Map<string, Promise<Execution | null>>();
  /** Runs that are stored a moment before they are in memory. */
  const starting = new Set<string>();
  /** Runs that the storage did not answer here, and that are taken up again without another process. */
  const lost = new Set<string>();
  let closed = false;
  const quarantine = createQuarantine({
    ...{ store, clock, logger, queue, convict },
    open: openAlone,
    begin: (execution) => void background.keepTrying("runs", () => beginOrStop(execution)),
    suspects: () => findSuspects(store, replay),
  });
  const untilPlanned = () => (closed || quarantine.isPlanned() ? null : quarantine.plan());
  const start = createStartRun({
    ...{ store, clock, compiled, queue, slots, waiters, starting, execute, proceed },
    descendants: createDescendantLimit(store, parts.limits.descendantRuns),
    runTime: parts.limits.runTime,
    isClosed: () => closed,
    untilPlanned,
    wake: (moment) => timers.set(moment),
    look: awaiting.look,
  });

  function execute(found: LoadedRun): Execution {
    const { document } = found;
    const { id } = document;
    const execution = createExecution(found, {
      store,
      clock,
      logger,
      effects,
      events,
      runTime: parts.limits.runTime,
      enter: () => (slots.of(document).isAdmitted ? "running" : "queued"),
      recorded: () => quarantine.passed(id),
      left(how) {
        executions.delete(id);
        quarantine.passed(id);
        if (how.as === "queued") return proceed(how.document, slots.of(document));
        if (how.as === "waiting" && how.due !== undefined) timers.set(how.due);
        if (how.as === "ended") waiters.tell(id, how.shown);
        if (how.as === "lost") waiters.disappoint(id, how.error);
        slots.release(id);
        if (how.as === "lost" && how.error.code === "unavailable") {
          lost.add(id);
          void background.keepTrying("runs", () => takeUp(id));
        }
      },
    });
    executions.set(id, execution);
    waiters.expected(id);
    return execution;
  }

  /** A stored run begins, now or when its slot is admitted. */
  function proceed(document: RunDocument, slot: Slot): void {
    slots.assign(document.id, slot);
    slots.of(document).onAdmitted(() => void background.keepTrying("runs", () => begin(document)));
  }

  async function begin(document: RunDocument): Promise<void> {
    if (closed) return;
    const execution = await open(document.id);
    if (execution === null) slots.release(document.id);
    else if (!closed) await beginOrStop(execution);
  }

  /** The runs of a removed app are canceled one by one: none of those that come next because of that may begin. */
  async function beginOrStop(execution: Execution): Promise<void> {
    if (await parts.isAppThere(execution.appId)) await execution.begin();
    else await execution.stop(null);
  }

  async function fail(runId: string, error: RunError): Promise<void> {
    await whileInMemory(runId, async (execution) => execution === null || execution.stop(error));
  }

  /** A run that waited goes on, now or when its slot is admitted. */
  async function wake({ id }: RunDocument): Promise<void> {
    await whileInMemory(id, async (execution) => execution === null || execution.wake());
  }

  /** Brings a stored run into memory; null when it has ended. */
  function open(runId: string): Promise<Execution | null> {
    const live = executions.get(runId);
    if (live !== undefined) return Promise.resolve(live);
    let under = opening.get(runId);
    if (under === undefined) {
      if (closed) return Promise.reject(closingError());
      under = read(runId).finally(() => opening.delete(runId));
      opening.set(runId, under);
    }
    return under;
  }

  async function read(runId: string): Promise<Execution | null> {
    const { document, version } = await find(runId);
    if (isEnded(document)) return null;
    const journal = await readJournal(store, runId);
    const found = await replay.run(document, journal.entries);
    if ("code" in found) return endAsFailed(document, version, journal, found);
    const { plan, progress, ready } = found;
    let { records } = journal;
    if (document.status === "running" && hasActiveSteps(found)) {
      const isLost = lost.has(runId);
      records++;
      // Also shows that the storage answers again, before any step is done once more.
      await store.commit([isLost ? appendRecord(runId, records, []) : resumeMarker(runId, records)]);
      lost.delete(runId);
    }
    return execute({ document, version, plan, progress, records, parts: journal.parts, values: journal.values, ready });
  }

  /** A run that comes to wait leaves memory, perhaps just when it is asked something: then it is read anew. */
  async function whileInMemory(runId: string, ask: (execution: Execution | null) => Promise<boolean>): Promise<void> {
    const planned = untilPlanned();
    if (planned !== null) await planned;
    while (!(await ask(await open(runId)))) {
      if (closed) throw closingError();
    }
  }

  /** Whether this process has the run already: in memory, on its way there, or in the queue. */
  const isHere = (runId: string) => starting.has(runId) || executions.has(runId) || slots.has(runId);

  /** What this process has started itself, or has ended or come to wait since it was listed, is left alone. */
  async function takeUp(runId: string): Promise<void> {
    if (isHere(runId)) return;
    const { document } = await find(runId);
    if (await isOrphan(document, store)) return engine.cancel(runId);
    if (isHere(runId)) return;
    if (document.status === "running" || document.status === "queued") proceed(document, slots.of(document));
  }

  /** Suspects first; then in the order in which they came. One that cannot be read does not hold up the others. */
  async function takeUpAll(): Promise<void> {
    await quarantine.carryOut();
    for await (const runId of rowIds(store, ACTIVE)) {
      if (closed) return;
      await background.keepTrying("runs", () => takeUp(runId)).tried;
    }
  }

  /** Beside the limits, and while nobody else may begin. One that cannot be read now is taken up with the others. */
  async function openAlone(runId: string): Promise<Execution | null> {
    let execution: Execution | null = null;
    try {
      slots.assign(runId, queue.admit((await find(runId)).document));
      execution = await open(runId);
    } catch (error) {
      logger.warn("could not isolate a suspect run", { run: runId, error });
    }
    if (execution === null) slots.release(runId);
    return execution;
  }

  async function convict(runId: string): Promise<void> {
    const found = await store.get<RunDocument>(runKey(runId));
    if (found === null || isEnded(found.document)) return;
    const { document, version } = found;
    const message = `The process crashed ${STRIKES} times while this run was the only active one and made no progress.`;
    await endAsFailed(document, version, await readJournal(store, runId), { code: "poison_run", message });
  }

  async function find(runId: string): Promise<Stored<RunDocument>> {
    const found = await store.get<RunDocument>(runKey(runId));
    if (found === null) throw notFound("run", runId);
    return found;
  }

  const recorded = async (runId: string): Promise<RunSnapshot> =>
    (await executions.get(runId)?.snapshot()) ?? loadSnapshot(() => find(runId), store, replay);

  const engine: Engine = {
    start,
    takeUp,
    get: async (runId) => (await recorded(runId)).run,
    ended: (runId, signal) =>
      waiters.wait(runId, async () => !executions.has(runId) && isEnded((await find(runId)).document), signal),
    isUnderWay: (appId, runId) => executions.get(runId)?.appId === appId,
    events: (runId, after, signal) => events.follow(runId, after, () => recorded(runId), signal),

    async cancel(runId) {
      await whileInMemory(runId, async (execution) => execution === null || execution.stop(null));
    },

    async provide(runId, stepKey, values) {
      const { document } = await find(runId);
      const plan = await replay.plan(document);
      const index = "code" in plan ? -1 : (plan.graph.indexOf.get(stepKey) ?? -1);
      await whileInMemory(runId, async (execution) => {
        if (execution === null) throw new StepwellError("conflict", "The run has ended.");
        return execution.provide(index, values);
      });
    },

    async retry(runId) {
      await untilPlanned();
      if (closed) throw closingError();
      const found = await find(runId);
      const plan = await replay.plan(found.document);
      if ("code" in plan) throw new StepwellError("conflict", `The run cannot resume: ${plan.message}`);
      const { document, slot, changes } = prepareRetry(
        found,
        plan,
        () => queue.enter(found.document),
        instant(clock.now()),
      );
      try {
        await store.commit(changes);
      } catch (error) {
        slot.release();
        throw error;
      }
      proceed(document, slot);
    },

    fileCame: (fileId) => awaiting.fileCame(fileId),

    resume() {
      background.start("runs", takeUpAll);
      background.start("runs waiting for files", () => quarantine.plan().then(awaiting.lookAtAll));
      background.start("run timers", timers.start);
    },

    async close(grace) {
      closed = true;
      quarantine.close();
      const looked = timers.stop();
      // What is just being read would go on to read from a storage that was let go of.
      await Promise.allSettled(opening.values());
      let cancelTimer = () => {};
      const timeUp = new Promise<void>((resolve) => {
        cancelTimer = clock.after(grace, resolve);
      });
      await Promise.all([...executions.values()].map((execution) => execution.suspend(timeUp)));
      await Promise.race([looked, timeUp]);
      cancelTimer();
      events.close();
      waiters.disappointAll(closingError());
    },
  };
  const effects = parts.effects(engine);
  return engine;
}

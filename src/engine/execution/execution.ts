/** One run while it is in memory: the only loop that carries out what its progress decides. */

import { isStepwellError, StepwellError } from "../../errors.ts";
import type { JsonValue } from "../../json.ts";
import type { Run, RunError, RunStatus } from "../../runs/run.ts";
import { instant } from "../../time/iso.ts";
import { drainReadySteps } from "../dispatch/event-loop-turns.ts";
import { createRunEventEmitter } from "../events/run-event-emitter.ts";
import { appendRecord, deleteJournal, type JournalEntry, outcomeChanges, type SettledStep } from "../state/journal.ts";
import {
  eventsBeforeRetry,
  foldRun,
  isEnded as hasEnded,
  putEndedRun,
  putRun,
  showEnded,
  showRunning,
} from "../state/run-document.ts";
import { deadlineOf, timeoutError, withStatus } from "../state/run-timeout.ts";
import type { Outcome } from "../state/step-state.ts";
import { STOPPED, StepError } from "../step-error.ts";
import { createPatientCommit } from "./commit-retry.ts";
import type { Execution, ExecutionParts, ExitReason, LoadedRun } from "./execution-types.ts";
import { createStepRunner } from "./step-runner.ts";
import { createSubsteps } from "./substeps.ts";
import { createWaitTimers } from "./wait-timers.ts";

/** How long a reader waits for a commit before it is shown what is stored. */
const READ_PATIENCE_MS = 250;
const CANCELED = new StepError("canceled", "The run was canceled.");

export function createExecution(found: LoadedRun, outside: ExecutionParts): Execution {
  const { store, clock, logger, effects, events, runTime, enter, recorded, left } = outside;
  const { plan, progress } = found;
  const { id } = found.document;
  let { document, version, records } = found;
  const values = new Set(found.values);
  /** Steps to run next, as it was found: until anything is begun. */
  let { ready } = found;
  /** Ended, waiting without anybody, or given up. */
  let isOver = false;
  let storing = false;
  let suspended = false;
  /** Why storage was given up. */
  let lost: StepwellError | null = null;
  /** Outcomes that no commit holds yet. */
  let pending: JournalEntry[] = [];
  const parts = createSubsteps(found.parts, () => {
    if (!storing && !isOver) void advance();
  });
  let ending: { status: RunStatus; error: RunError | null } | null = null;
  let hasBegun = false;
  let hasSlot = false;
  const commit = createPatientCommit({ store, clock, logger, runId: id, isInHurry: () => suspended });
  const moments = createWaitTimers({
    clock,
    progress,
    deadline: () => deadlineOf(document, runTime),
    late: (deadline) => finish("failed", timeoutError(document, deadline)),
    came: (index, { output }) => given(index, output),
  });
  const telling = createRunEventEmitter({ runId: id, plan, progress, events, before: eventsBeforeRetry(document) });
  const underWay = createStepRunner({ document, plan, progress, effects, clock, parts, telling, ended: took });
  /** Called after the next commit, or right away when none is under way. */
  let observers: (() => void)[] = [];

  const now = () => instant(clock.now());

  function took(index: number, outcome: Outcome): void {
    if (isOver) return;
    pending.push({ index, outcome });
    if (!storing) void advance();
  }

  /** Whether it waits for what nobody has given yet. */
  const waits = (index: number) =>
    progress.state(index)?.status === "waiting" && !pending.some((entry) => entry.index === index);

  /** What a step waited for. */
  function given(index: number, output: JsonValue): void {
    if (!waits(index)) return;
    const now = clock.now();
    took(index, { output, error: null, attempts: 1, started_at: now, finished_at: now });
  }

  /** Stores what came in, and goes on with what follows from it, until nothing is left to store. */
  async function advance(): Promise<void> {
    storing = true;
    try {
      while (!isOver && hasNews()) {
        const settled = await settle();
        if (isOver) return;
        if (ending !== null) return await end(ending);
        if (progress.failure() !== null) return await end({ status: "failed", error: progress.failure() });
        if (progress.open() === 0) return await end({ status: "succeeded", error: null });
        await record(settled.entries);
        observed();
        telling.settled(now());
        ready = [...ready, ...settled.next];
        if (document.status === "queued") {
          if (!hasNews()) return leaveQueued();
          continue;
        }
        startSteps();
        moments.look();
        if (isIdle()) return leaveWaiting();
      }
    } catch (error) {
      giveUp(error);
    } finally {
      storing = false;
      observed();
    }
  }

  /** Also those that a run is found with which is given input, or wakes, before it has begun. */
  function startSteps(): void {
    const steps = ready;
    ready = [];
    underWay.start(steps);
  }

  /** Entries stay pending until all have settled: what waited for one of them must not get another. */
  async function settle(): Promise<{ entries: readonly SettledStep[]; next: readonly number[] }> {
    // A step that repeats is a repetition further once it has settled.
    const entries = pending.map((entry) => ({ ...entry, iteration: progress.iteration(entry.index) }));
    const next: number[] = [];
    for (const { index, iteration, outcome } of entries) {
      parts.forget(`${index}.${iteration}`);
      const steps = progress.settle(index, outcome);
      for (const step of progress.isPaused() ? await drainReadySteps(progress, plan.pace, steps) : steps)
        next.push(step);
    }
    pending = pending.slice(entries.length);
    return { entries, next };
  }

  const hasNews = () => pending.length > 0 || parts.hasNews() || ending !== null;

  /** How a run goes on that does not only wait: it keeps the slot that it has, and may be queued where it has none. */
  function goesOnAs(): "running" | "queued" {
    hasSlot ||= enter() === "running";
    return hasSlot ? "running" : "queued";
  }

  /** Nothing is under way, and what is left waits for somebody. */
  const isIdle = () =>
    underWay.isDone() && pending.length === 0 && ending === null && progress.waiting() === progress.open();

  async function record(entries: readonly SettledStep[]): Promise<void> {
    const news = parts.takeNews();
    const changes = outcomeChanges(id, records + 1, entries, news.entries, values);
    // Whoever waits for a person is not taken up again by itself.
    const next = becoming(progress.waiting() === progress.open() ? "waiting" : goesOnAs());
    const isOther = next.status !== document.status || next.due_at !== document.due_at;
    if (isOther) changes.push(putRun(next, version, document));
    await commit(changes);
    records++;
    if (isOther) version++;
    document = next;
    news.stored();
    recorded();
  }

  const becoming = (status: "queued" | "running" | "waiting") =>
    withStatus(document, status, now(), runTime, progress.moments);

  async function end({ status, error }: { status: RunStatus; error: RunError | null }): Promise<void> {
    underWay.stop(CANCELED);
    const at = instant(clock.now());
    const last = foldRun(document, plan, progress, { status, error, at }, values);
    await commit([...last.changes, putEndedRun(last.document, version), ...deleteJournal(id, records, last.unused)]);
    document = last.document;
    telling.ended(now(), shown);
    leave({ as: "ended", shown });
  }

  /** What is in storage is right and will be taken up by the next start; what is in memory is not trusted any more. */
  function giveUp(error: unknown): void {
    underWay.stop(STOPPED);
    logger.error("could not store a run; it resumes at the next start", { run: id, error });
    lost = isStepwellError(error)
      ? error
      : new StepwellError("internal", "The run stopped on an internal error. The log has the cause.", { cause: error });
    leave({ as: "lost", error: lost });
  }

  const leaveWaiting = () => leave({ as: "waiting", due: document.due_at });
  const leaveQueued = () => leave({ as: "queued", document });

  function leave(how: ExitReason): void {
    isOver = true;
    moments.stop();
    left(how);
  }

  function shown(): Run {
    if (!hasEnded(document)) return showRunning(document, plan, progress);
    return showEnded(
      document,
      plan.steps.map((_, index) => progress.state(index)?.output ?? null),
    );
  }

  function observed(): void {
    const called = observers;
    observers = [];
    for (const observer of called) observer();
  }

  /** Once nothing is told that is not stored. */
  const settled = (): Promise<void> =>
    storing ? new Promise((resolve) => observers.push(resolve)) : Promise.resolve();

  /** Lets something come in; settles once it is stored, which a commit that is under way does without it. */
  async function stored(come: () => unknown): Promise<void> {
    const isBehind = storing;
    await come();
    if (isBehind) await settled();
    await settled();
  }

  function finish(status: RunStatus, error: RunError | null): void {
    ending ??= { status, error };
    underWay.stop(CANCELED);
    if (!storing && !isOver) void advance();
  }

  /** A run that was queued gets its turn; one that was taken up again may only wait. */
  async function become(status: "queued" | "running" | "waiting"): Promise<void> {
    storing = true;
    try {
      const next = becoming(status);
      await commit([putRun(next, version, document)]);
      version++;
      document = next;
    } catch (error) {
      giveUp(error);
    } finally {
      storing = false;
      observed();
    }
    if (!isOver && hasNews()) await advance();
  }

  async function begin(): Promise<void> {
    if (hasBegun || isOver) return;
    hasBegun = true;
    // Whoever stores something just now lets the steps begin next.
    if (storing) return;
    const status = goesOnAs();
    if (status === "queued" || document.status === "queued") {
      if (status !== document.status) await become(status);
      if (isOver) return;
      if (status === "queued") {
        if (!storing && !hasNews()) leaveQueued();
        return;
      }
    }
    moments.look();
    if (ending === null) startSteps();
    if (storing || !isIdle()) return;
    if (becoming("waiting").due_at !== document.due_at || document.status !== "waiting") await become("waiting");
    if (!isOver && isIdle()) leaveWaiting();
  }

  return {
    appId: found.document.app_id,

    begin,

    snapshot: () =>
      new Promise((resolve) => {
        const seen = () =>
          lost === null ? { run: shown(), order: [...progress.order], before: eventsBeforeRetry(document) } : null;
        if (!storing) return resolve(seen());
        const cancel = clock.after(READ_PATIENCE_MS, () => resolve(null));
        observers.push(() => {
          cancel();
          resolve(seen());
        });
      }),

    async stop(error) {
      finish(error === null ? "canceled" : "failed", error);
      while (!isOver) await settled();
      return hasEnded(document);
    },

    async provide(index, value) {
      if (isOver) return false;
      if (!waits(index)) {
        // It was read for this alone, perhaps: then nothing else lets it go, or begin.
        if (document.status === "waiting" && !storing && isIdle()) leaveWaiting();
        else await begin();
        throw new StepwellError("conflict", "The step is not waiting for input.");
      }
      await stored(() => given(index, value));
      if (lost !== null) throw lost;
      return true;
    },

    async wake() {
      if (isOver) return false;
      // Whoever stores something just now looks at the moments behind it.
      await stored(begin);
      if (lost !== null) throw lost;
      return true;
    },

    async suspend(timeUp) {
      suspended = true;
      underWay.hold();
      moments.stop();
      let isTimeUp = false;
      void timeUp.then(() => {
        isTimeUp = true;
      });
      while (!isOver && !isTimeUp && (storing || underWay.isAtWork())) {
        await Promise.race([timeUp, new Promise<void>((resolve) => observers.push(resolve))]);
      }
      // What is cut off here was no fault of the run: its next start is not counted against it.
      if (!isOver && underWay.isBusy()) await store.commit([appendRecord(id, records + 1, [])]).catch(giveUp);
      isOver = true;
      underWay.stop(STOPPED);
    },
  };
}

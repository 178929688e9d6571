/** One run while it is in memory: the only loop that carries out what its progress decides. DESIGN 5.4. */
import { instant } from "../clock.ts";
import { isStepwellError, StepwellError } from "../errors.ts";
import type { Change } from "../ports/store.ts";
import type { Run, RunError, RunStatus } from "../runs/run.ts";
import { keyOfAttempt, type Running, startAttempt } from "./attempt.ts";
import { appended, type Entry, folded, keep, outOfPlace, partKey, stored, storedPart, valueKey } from "./journal.ts";
import type { Execution, ExecutionParts, Found, Left } from "./live-run.ts";
import { createParts } from "./parts.ts";
import { createPatientCommit } from "./patient-commit.ts";
import { ended, fold, isOver as hasEnded, running, showEnded, showRunning } from "./run-document.ts";
import { asWaiting, deadlineOf, overTime } from "./run-time.ts";
import { STOPPED, StepError } from "./step-error.ts";
import type { Outcome } from "./step-state.ts";
import { createTelling } from "./telling.ts";

interface Settled extends Entry {
  /** Which repetition of its step it is of. */
  readonly iteration: number;
}

/** Steps of one run that are carried out at the same time. */
const STEPS_AT_ONCE = 50;
const CANCELED = new StepError("canceled", "The run was canceled.");

export function createExecution(found: Found, given: ExecutionParts): Execution {
  const { store, clock, logger, effects, events, runTime, left } = given;
  const { plan, progress } = found;
  const { id } = found.document;
  let { document, version, records } = found;
  const values = new Set(found.values);
  /** Ended, waiting without anybody, or given up. */
  let isOver = false;
  let storing = false;
  let suspended = false;
  /** Why storage was given up. */
  let lost: StepwellError | null = null;
  /** Outcomes that no commit holds yet. */
  let pending: Entry[] = [];
  const parts = createParts(found.parts, () => {
    if (!storing && !isOver) void advance();
  });
  let ending: { status: RunStatus; error: RunError | null } | null = null;
  const attempts = new Map<number, Running>();
  /** Steps that are to run as soon as others have ended. */
  let ready = [...found.ready];
  let hasBegun = false;
  let cancelTimer = () => {};
  const commit = createPatientCommit({ store, clock, logger, runId: id, isInHurry: () => suspended });
  const telling = createTelling(id, plan, progress, events);
  /** Called after the next commit, or right away when none is under way. */
  let observers: (() => void)[] = [];

  /** So many at once as may be; the others when their turn comes. */
  function launchReady(): void {
    while (!suspended && attempts.size < STEPS_AT_ONCE) {
      const index = ready.shift();
      if (index === undefined) return;
      launch(index);
    }
  }

  function launch(index: number): void {
    const compiled = plan.steps[index];
    if (compiled === undefined || compiled.executable.kind === "wait") return;
    const { executable, step } = compiled;
    const iteration = progress.iteration(index);
    const idempotencyKey = keyOfAttempt(id, step.key, iteration, document.retries);
    const place = { app_id: document.app_id, run_id: id, depth: document.depth, idempotencyKey };
    const scope = progress.scope(index);
    const logged = (lines: readonly string[]) => telling.log(step.key, now(), lines);
    const wrote = (text: string) => telling.wrote(step.key, now(), text);
    const shared = { scope, place, effects, clock };
    const perform = parts.of(`${index}.${iteration}`, shared);
    const attempt = startAttempt({ ...shared, executable, logged, wrote, perform }, (outcome) => {
      attempts.delete(index);
      took(index, outcome);
    });
    attempts.set(index, attempt);
    telling.started(step.key, now());
  }

  const now = () => instant(clock.now());

  function took(index: number, outcome: Outcome): void {
    if (isOver) return;
    pending.push({ index, outcome });
    if (!storing) void advance();
  }

  /** Stores what came in, and goes on with what follows from it, until nothing is left to store. */
  async function advance(): Promise<void> {
    storing = true;
    try {
      while (!isOver && hasNews()) {
        const settled = settle();
        if (ending !== null) return await end(ending);
        if (progress.failure !== null) return await end({ status: "failed", error: progress.failure });
        if (progress.open === 0) return await end({ status: "succeeded", error: null });
        await record(settled.entries);
        observed();
        telling.settled(now());
        ready.push(...settled.next);
        launchReady();
        if (isIdle()) return leaveWaiting();
      }
    } catch (error) {
      giveUp(error);
    } finally {
      storing = false;
      observed();
    }
  }

  function settle(): { entries: readonly Settled[]; next: readonly number[] } {
    // A step that repeats is a repetition further once it has settled.
    const entries = pending.map((entry) => ({ ...entry, iteration: progress.iteration(entry.index) }));
    pending = [];
    for (const { index, iteration } of entries) parts.forget(`${index}.${iteration}`);
    return { entries, next: entries.flatMap(({ index, outcome }) => progress.settle(index, outcome)) };
  }

  const hasNews = () => pending.length > 0 || parts.hasNews() || ending !== null;

  /** Nothing is under way, and what is left waits for somebody. */
  const isIdle = () =>
    attempts.size === 0 &&
    ready.length === 0 &&
    pending.length === 0 &&
    ending === null &&
    progress.waiting === progress.open;

  async function record(entries: readonly Settled[]): Promise<void> {
    const changes: Change[] = [];
    const kept = entries.map((entry) => {
      const { index, outcome, iteration } = entry;
      const kept = keep(outcome.output, () => valueKey(id, index, iteration));
      changes.push(...outOfPlace(kept, outcome.output));
      if ("at" in kept) values.add(kept.at);
      return stored(entry, kept);
    });
    const news = parts.takeNews();
    const keptParts = news.entries.map((entry) => {
      const kept = keep(entry.outcome.output, () => partKey(id, entry.part));
      changes.push(...outOfPlace(kept, entry.outcome.output));
      if ("at" in kept) values.add(kept.at);
      return storedPart(entry, kept);
    });
    changes.push(appended(id, records + 1, kept, keptParts));
    // Whoever waits for a person is not taken up again by itself.
    const status = progress.waiting === progress.open ? "waiting" : "running";
    const isOther = status !== document.status;
    const next = isOther ? becoming(status) : document;
    if (isOther) changes.push(running(next, version));
    await commit(changes);
    records++;
    if (isOther) version++;
    document = next;
    news.stored();
  }

  const becoming = (status: "running" | "waiting") =>
    status === "waiting" ? asWaiting(document, runTime) : { ...document, status };

  async function end({ status, error }: { status: RunStatus; error: RunError | null }): Promise<void> {
    stopAll(CANCELED);
    const at = instant(clock.now());
    const last = fold(document, plan, progress, { status, error, at }, values);
    await commit([...last.changes, ended(last.document, version), ...folded(id, records, last.unused)]);
    document = last.document;
    telling.ended(now(), shown);
    leave({ as: "ended", shown });
  }

  /** What is in storage is right and will be taken up by the next start; what is in memory is not trusted any more. */
  function giveUp(error: unknown): void {
    stopAll(STOPPED);
    logger.error("a run could not be stored and is left to the next start", { run: id, error });
    lost = isStepwellError(error)
      ? error
      : new StepwellError("internal", "The run could not be carried out; see the log.", { cause: error });
    leave({ as: "lost", error: lost });
  }

  const leaveWaiting = () => leave({ as: "waiting", due: document.due_at });

  function leave(how: Left): void {
    isOver = true;
    cancelTimer();
    left(how);
  }

  function stopAll(reason: StepError): void {
    for (const [index, attempt] of attempts) {
      attempts.delete(index);
      attempt.stop(reason);
    }
    ready = [];
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

  function finish(status: RunStatus, error: RunError | null): void {
    ending ??= { status, error };
    stopAll(CANCELED);
    if (!storing && !isOver) void advance();
  }

  /** A run that was queued gets its turn; one that was taken up again may only wait. */
  async function become(status: "running" | "waiting"): Promise<void> {
    storing = true;
    try {
      const isTurn = document.status === "queued" && document.reopened_at !== undefined;
      const turn = { started_at: document.started_at ?? now(), ...(isTurn ? { reopened_at: now() } : {}) };
      const next = { ...becoming(status), ...turn };
      await commit([running(next, version)]);
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

  /** Whether it has taken too long already; otherwise it ends when it has. */
  function isLate(): boolean {
    const deadline = deadlineOf(document, runTime);
    if (deadline === null) return false;
    const stop = () => finish("failed", overTime(document, deadline));
    const rest = deadline - clock.now();
    if (rest <= 0) stop();
    else cancelTimer = clock.after(rest, stop);
    return rest <= 0;
  }

  return {
    appId: found.document.app_id,

    async begin() {
      if (hasBegun || isOver) return;
      hasBegun = true;
      if (document.status === "queued") await become("running");
      if (isOver || isLate()) return;
      launchReady();
      if (!isIdle()) return;
      if (document.status !== "waiting") await become("waiting");
      if (!isOver && isIdle()) leaveWaiting();
    },

    snapshot: () =>
      new Promise((resolve) => {
        const show = () => resolve(lost === null ? { run: shown(), order: [...progress.order] } : null);
        if (storing) observers.push(show);
        else show();
      }),

    async stop(error) {
      finish(error === null ? "canceled" : "failed", error);
      while (!isOver) await settled();
      return hasEnded(document);
    },

    async provide(index, value) {
      if (isOver) return false;
      const isWaiting = progress.state(index)?.status === "waiting" && !pending.some((entry) => entry.index === index);
      if (!isWaiting) {
        if (!storing && isIdle()) leaveWaiting();
        throw new StepwellError("conflict", "The step does not wait for input.");
      }
      const now = clock.now();
      took(index, { output: value, error: null, attempts: 1, started_at: now, finished_at: now });
      await settled();
      if (lost !== null) throw lost;
      return true;
    },

    async suspend(timeUp) {
      suspended = true;
      cancelTimer();
      let isTimeUp = false;
      void timeUp.then(() => {
        isTimeUp = true;
      });
      const isAtWork = () => [...attempts.values()].some((attempt) => attempt.isAtWork());
      while (!isOver && !isTimeUp && (storing || isAtWork())) {
        await Promise.race([timeUp, new Promise<void>((resolve) => observers.push(resolve))]);
      }
      // What is cut off here was no fault of the run: its next start is not counted against it.
      if (!isOver && attempts.size > 0) await store.commit([appended(id, records + 1, [])]).catch(giveUp);
      isOver = true;
      stopAll(STOPPED);
    },
  };
}

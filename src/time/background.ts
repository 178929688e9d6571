/**
 * Background tasks that must succeed eventually, even if a read or a commit fails. Each is retried with backoff until
 * it succeeds or the service closes. Tasks are retried independently, so none blocks another.
 */
import { isStepwellError, StepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import { keepRunning } from "./keep-running.ts";
import { HOUR_MS } from "./units.ts";

export interface Background {
  /** Resolves when the storage is open or the service closes. Never rejects. */
  readonly opened: Promise<void>;
  /**
   * Starts a part of the service once the storage is open. {@link ready} and {@link problems} wait until `act`
   * succeeds.
   * @param part Name for operators: "runs", "schedules".
   */
  start(part: string, act: () => Promise<unknown>): Attempts;
  /** Like {@link start}, for later tasks. It counts as a problem only while the storage doesn't answer it. */
  retryUntilDone(part: string, act: () => Promise<unknown>): Attempts;
  /** Ends the pauses of all tasks that failed. Call this when the storage accepts commits again. */
  retryNow(): void;
  /** Resolves when every part has started. @throws StepwellError `unavailable` if the service closes before. */
  ready(): Promise<void>;
  /** Returns the parts that have not started, or whose storage calls currently fail. Empty if all is well. */
  problems(): readonly Problem[];
  /** Stops retrying. Resolves when current attempts have ended. */
  stop(): Promise<void>;
}

/** Neither promise rejects. */
export interface Attempts {
  /** Resolves after the first attempt, even if it failed. */
  readonly tried: Promise<void>;
  /** Resolves when an attempt has succeeded, or the service closes. */
  readonly done: Promise<void>;
}

/** A part that is not ready. Safe to expose publicly. */
export interface Problem {
  readonly part: string;
  readonly reason: "starting" | "storage unavailable" | "failing" | "wrong settings";
  /** Number of failed attempts of the part's tasks that have not succeeded yet. */
  readonly failures: number;
}

/**
 * Backoff: delays double from the first to the longest, and retries never end, because nothing else would resume the
 * task. Retries while a run is in memory do end (src/engine/execution/retry-storage.ts).
 */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
/** Intervals between log messages about one part also double. */
const FIRST_REPORT_MS = 10_000;
const LONGEST_REPORT_MS = HOUR_MS;

interface Task {
  readonly part: string;
  readonly isStart: boolean;
  failures: number;
  reason: Problem["reason"];
}

/** A part with failing tasks, from the first failure until none fails anymore. */
interface FailingPart {
  readonly since: number;
  attempts: number;
  /** Milliseconds since the first failure after which it is logged again. */
  reportAfter: number;
}

/**
 * @param parts.open Opens the storage. All other tasks wait for it, so a missing storage is retried and logged only
 * once.
 */
export function createBackground(parts: { clock: Clock; logger: Logger; open: () => Promise<unknown> }): Background {
  const { clock, logger } = parts;
  /** Parts that have not started, and tasks that failed and have not succeeded since. */
  const open = new Set<Task>();
  const acting = new Set<Promise<unknown>>();
  const failing = new Map<string, FailingPart>();
  const wakers = new Set<() => void>();
  const waiting: { resolve(): void; reject(error: unknown): void }[] = [];
  let isReady = false;
  let isStopped = false;

  const isProblem = ({ isStart, reason }: Task) => isStart || reason === "storage unavailable";

  function settleReady(): void {
    if (isStopped || [...open].some(isProblem)) return;
    isReady = true;
    for (const { resolve } of waiting.splice(0)) resolve();
  }

  function onFailure(piece: Task, error: unknown): void {
    const { part } = piece;
    piece.failures++;
    piece.reason = isStepwellError(error, "unavailable") ? "storage unavailable" : "failing";
    open.add(piece);
    const before = failing.get(part);
    if (before !== undefined) {
      before.attempts++;
      report(part, before, error);
    } else {
      failing.set(part, { since: clock.now(), attempts: 1, reportAfter: FIRST_REPORT_MS });
      logger.error(`${part}: failed; retrying until it succeeds`, { part, error });
    }
  }

  function report(part: string, problem: FailingPart, error: unknown): void {
    const after_ms = clock.now() - problem.since;
    if (after_ms < problem.reportAfter) return;
    problem.reportAfter = after_ms + Math.min(after_ms, LONGEST_REPORT_MS);
    logger.warn(`${part}: still failing`, { part, failures: problem.attempts, after_ms, error });
  }

  function onSuccess(piece: Task): void {
    open.delete(piece);
    const { part } = piece;
    const problem = failing.get(part);
    if (problem !== undefined && ![...open].some((one) => one.part === part && one.failures > 0)) {
      failing.delete(part);
      const { since, attempts } = problem;
      logger.warn(`${part}: recovered`, { part, failures: attempts, after_ms: clock.now() - since });
    }
    if (!isReady) settleReady();
  }

  async function attempt(piece: Task, act: () => Promise<unknown>): Promise<boolean> {
    // Deferred, because the caller may still be setting up what the task needs.
    const acted = Promise.resolve().then(() => (isStopped ? undefined : act()));
    acting.add(acted);
    try {
      await acted;
      onSuccess(piece);
      return true;
    } catch (error) {
      if (isStopped) return true;
      onFailure(piece, error);
      return false;
    } finally {
      acting.delete(acted);
    }
  }

  function pause(failures: number): Promise<void> {
    const milliseconds = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
    return new Promise((resolve) => {
      const done = () => {
        cancel();
        wakers.delete(done);
        resolve();
      };
      const cancel = clock.after(milliseconds, done);
      wakers.add(done);
    });
  }

  async function untilDone(piece: Task, act: () => Promise<unknown>, first: Promise<boolean>): Promise<void> {
    for (let isDone = await first; !isDone && !isStopped; isDone = await attempt(piece, act)) {
      await pause(piece.failures);
      if (isStopped) return;
    }
  }

  function startTask(part: string, act: () => Promise<unknown>, isStart: boolean): Attempts {
    const piece: Task = { part, isStart, failures: 0, reason: "starting" };
    if (isStart) open.add(piece);
    const first = attempt(piece, act);
    return { tried: first.then(() => undefined), done: untilDone(piece, act, first) };
  }

  const storage = startTask("storage", parts.open, true);

  async function actOnceOpen(act: () => Promise<unknown>): Promise<void> {
    await storage.done;
    if (!isStopped) await act();
  }

  return {
    opened: storage.done,
    start: (part, act) => startTask(part, () => actOnceOpen(act), true),
    retryUntilDone: (part, act) => startTask(part, act, false),

    retryNow() {
      for (const wake of [...wakers]) wake();
    },

    ready: () =>
      new Promise((resolve, reject) => {
        if (isReady) return resolve();
        if (isStopped) return reject(closedError());
        const release = keepRunning();
        waiting.push({
          resolve() {
            release();
            resolve();
          },
          reject(error) {
            release();
            reject(error);
          },
        });
      }),

    problems() {
      const found = new Map<string, Problem>();
      for (const piece of open) {
        if (!isProblem(piece)) continue;
        const { part, reason } = piece;
        const failures = piece.failures + (found.get(part)?.failures ?? 0);
        found.set(part, { part, reason, failures });
      }
      return [...found.values()];
    },

    async stop() {
      isStopped = true;
      for (const wake of [...wakers]) wake();
      for (const { reject } of waiting.splice(0)) reject(closedError());
      await Promise.allSettled(acting);
    },
  };
}

function closedError(): StepwellError {
  return new StepwellError("unavailable", "The service was closed before it was ready.");
}

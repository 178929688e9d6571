/** Notifies waiting callers and telemetry when a run ends. */
import type { StepwellError } from "../../errors.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Run } from "../../runs/run.ts";
import type { Telemetry } from "../../runs/telemetry.ts";
import { keepRunning } from "../../time/keep-running.ts";
import type { RunDocument } from "../state/run-document.ts";

export interface RunCompletion {
  /**
   * Resolves with the ended run, or with null if the caller must read it. Rejects with the signal's reason.
   * @param hasEnded Called once, because the run may have ended before anything waited for it.
   */
  waitFor(runId: string, hasEnded: () => Promise<boolean>, signal?: AbortSignal): Promise<Run | null>;
  /**
   * Reports that a run has ended.
   * @param ended Its document as stored.
   * @param show Returns the ended run; called only if something needs it.
   */
  resolve(ended: RunDocument, show: () => Run): void;
  /** Lets the waiters of a run read it, which has ended in another process. */
  resolveElsewhere(runId: string): void;
  /** IDs of the runs that something waits for. */
  awaited(): Iterable<string>;
  /** Rejects current and future waiters of a run whose end this process won't see, until {@link expect} is called. */
  reject(runId: string, error: StepwellError): void;
  /** Reports that a run is being executed again. */
  expect(runId: string): void;
  rejectAll(error: StepwellError): void;
}

interface Waiter {
  resolve(run: Run | null): void;
  reject(reason: unknown): void;
}

export function createRunCompletion(parts: {
  telemetry: Telemetry | undefined;
  logger: Logger;
  /** Called first. */
  onRunEnded(ended: RunDocument): void;
}): RunCompletion {
  const { telemetry, logger, onRunEnded } = parts;
  const waiters = new Map<string, Set<Waiter>>();
  /** Runs that were evicted because the storage failed, with the error. */
  const storageErrors = new Map<string, StepwellError>();
  /** Set once the process no longer sees the end of any run. */
  let closed: StepwellError | undefined;

  function removeWaiters(runId: string): Iterable<Waiter> {
    const taken = waiters.get(runId) ?? [];
    waiters.delete(runId);
    return taken;
  }

  function remove(runId: string, waiter: Waiter): void {
    const others = waiters.get(runId);
    others?.delete(waiter);
    if (others?.size === 0) waiters.delete(runId);
  }

  function rejectWaiters(runId: string, error: StepwellError): void {
    for (const waiter of removeWaiters(runId)) waiter.reject(error);
  }

  return {
    async waitFor(runId, hasEnded, signal) {
      signal?.throwIfAborted();
      return new Promise<Run | null>((resolve, reject) => {
        const release = keepRunning();
        const leave = () => {
          remove(runId, waiter);
          release();
          signal?.removeEventListener("abort", onAbort);
        };
        const waiter: Waiter = {
          resolve(run) {
            leave();
            resolve(run);
          },
          reject(reason) {
            leave();
            reject(reason);
          },
        };
        const onAbort = () => waiter.reject(signal?.reason);
        const others = waiters.get(runId);
        if (others === undefined) waiters.set(runId, new Set([waiter]));
        else others.add(waiter);
        signal?.addEventListener("abort", onAbort);
        hasEnded().then((isOver) => {
          const why = storageErrors.get(runId) ?? closed;
          if (isOver) waiter.resolve(null);
          else if (why !== undefined) waiter.reject(why);
        }, waiter.reject);
      });
    },

    resolve(ended, show) {
      const runId = ended.id;
      onRunEnded(ended);
      storageErrors.delete(runId);
      if (!waiters.has(runId) && telemetry === undefined) return;
      const run = show();
      for (const waiter of removeWaiters(runId)) waiter.resolve(run);
      try {
        // Clone the run, because telemetry may change it and others receive it too.
        if (telemetry !== undefined) telemetry.runEnded(structuredClone(run));
      } catch (error) {
        logger.warn("telemetry.runEnded threw an error", { run: runId, error });
      }
    },

    resolveElsewhere(runId) {
      for (const waiter of removeWaiters(runId)) waiter.resolve(null);
    },

    awaited: () => [...waiters.keys()],

    reject(runId, error) {
      storageErrors.set(runId, error);
      rejectWaiters(runId, error);
    },

    expect: (runId) => void storageErrors.delete(runId),

    rejectAll(error) {
      closed = error;
      for (const runId of [...waiters.keys()]) rejectWaiters(runId, error);
    },
  };
}

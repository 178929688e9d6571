/** Tells callers that wait for a run, and telemetry, that it has ended. */
import type { StepwellError } from "../../errors.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Run } from "../../runs/run.ts";
import type { Telemetry } from "../../runs/telemetry.ts";

export interface RunCompletion {
  /**
   * The run when it has ended, or null when it has to be read. Rejects with the reason of the signal.
   * @param hasEnded Asked once, for a run that may have ended before anybody waited.
   */
  waitFor(runId: string, hasEnded: () => Promise<boolean>, signal?: AbortSignal): Promise<Run | null>;
  /** The run has ended. @param show As it is then; only called when somebody wants to know. */
  resolve(runId: string, show: () => Run): void;
  /** Nobody here will see the end of the run, neither who waits now nor who comes later, until it is expected again. */
  reject(runId: string, error: StepwellError): void;
  /** The run is being executed. */
  expect(runId: string): void;
  rejectAll(error: StepwellError): void;
}

interface Waiter {
  resolve(run: Run | null): void;
  reject(reason: unknown): void;
}

export function createRunCompletion(parts: { telemetry: Telemetry | undefined; logger: Logger }): RunCompletion {
  const { telemetry, logger } = parts;
  const waiters = new Map<string, Set<Waiter>>();
  /** Runs for which the storage failed here, and why. */
  const lost = new Map<string, StepwellError>();
  /** Why no end of any run will be seen here any more. */
  let closed: StepwellError | undefined;

  function takeWaiters(runId: string): Iterable<Waiter> {
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
    for (const waiter of takeWaiters(runId)) waiter.reject(error);
  }

  return {
    async waitFor(runId, hasEnded, signal) {
      signal?.throwIfAborted();
      return new Promise<Run | null>((resolve, reject) => {
        // Timers of the clock let a process end; one that waits for a run must not.
        const hold = setInterval(() => {}, 2 ** 30);
        const leave = () => {
          remove(runId, waiter);
          clearInterval(hold);
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
          const why = lost.get(runId) ?? closed;
          if (isOver) waiter.resolve(null);
          else if (why !== undefined) waiter.reject(why);
        }, waiter.reject);
      });
    },

    resolve(runId, show) {
      lost.delete(runId);
      if (!waiters.has(runId) && telemetry === undefined) return;
      const run = show();
      for (const waiter of takeWaiters(runId)) waiter.resolve(run);
      try {
        // A copy: what telemetry changes must not show in the answers of others.
        if (telemetry !== undefined) telemetry.runEnded(structuredClone(run));
      } catch (error) {
        logger.warn("telemetry.runEnded threw an error", { run: runId, error });
      }
    },

    reject(runId, error) {
      lost.set(runId, error);
      rejectWaiters(runId, error);
    },

    expect: (runId) => void lost.delete(runId),

    rejectAll(error) {
      closed = error;
      for (const runId of [...waiters.keys()]) rejectWaiters(runId, error);
    },
  };
}

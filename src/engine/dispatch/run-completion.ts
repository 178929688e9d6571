/** Those who want to know that a run has ended: who waits for it, and telemetry. */
import type { StepwellError } from "../../errors.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Run } from "../../runs/run.ts";
import type { Telemetry } from "../../runs/telemetry.ts";

export interface RunCompletion {
  /**
   * The run when it has ended, or null when whoever told it did not have it at hand. Rejects with the reason of the signal.
   * @param hasEnded Asked once, for a run that may have ended before anybody could be told.
   */
  wait(runId: string, hasEnded: () => Promise<boolean>, signal?: AbortSignal): Promise<Run | null>;
  /** The run has ended. @param shown As it is then; only asked for when somebody wants to know. */
  tell(runId: string, shown: () => Run): void;
  /** Nobody here will see the end of the run, neither who waits now nor who comes later, until it is {@link expected}. */
  disappoint(runId: string, error: StepwellError): void;
  /** The run is carried out. */
  expected(runId: string): void;
  disappointAll(error: StepwellError): void;
}

interface Waiter {
  resolve(run: Run | null): void;
  reject(reason: unknown): void;
}

export function createRunCompletion(parts: { telemetry: Telemetry | undefined; logger: Logger }): RunCompletion {
  const { telemetry, logger } = parts;
  const waiters = new Map<string, Set<Waiter>>();
  /** Runs that were given up here, and why. */
  const lost = new Map<string, StepwellError>();
  /** Why no end of any run will be seen here any more. */
  let closed: StepwellError | undefined;

  function each(runId: string, act: (waiter: Waiter) => void): void {
    const told = waiters.get(runId);
    waiters.delete(runId);
    for (const waiter of told ?? []) act(waiter);
  }

  function part(runId: string, waiter: Waiter): void {
    const others = waiters.get(runId);
    others?.delete(waiter);
    if (others?.size === 0) waiters.delete(runId);
  }

  const reject = (runId: string, error: StepwellError) => each(runId, (waiter) => waiter.reject(error));

  return {
    async wait(runId, hasEnded, signal) {
      signal?.throwIfAborted();
      return new Promise<Run | null>((resolve, reject) => {
        // Timers of the clock let a process end; one that waits for a run must not.
        const hold = setInterval(() => {}, 2 ** 30);
        const leave = () => {
          part(runId, waiter);
          clearInterval(hold);
          signal?.removeEventListener("abort", aborted);
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
        const aborted = () => waiter.reject(signal?.reason);
        const others = waiters.get(runId);
        if (others === undefined) waiters.set(runId, new Set([waiter]));
        else others.add(waiter);
        signal?.addEventListener("abort", aborted);
        hasEnded().then((isOver) => {
          const why = lost.get(runId) ?? closed;
          if (isOver) waiter.resolve(null);
          else if (why !== undefined) waiter.reject(why);
        }, waiter.reject);
      });
    },

    tell(runId, shown) {
      lost.delete(runId);
      if (!waiters.has(runId) && telemetry === undefined) return;
      const run = shown();
      each(runId, (waiter) => waiter.resolve(run));
      try {
        // Of its own: what it changes must not show in the answers of others.
        if (telemetry !== undefined) telemetry.runEnded(structuredClone(run));
      } catch (error) {
        logger.warn("telemetry.runEnded threw an error", { run: runId, error });
      }
    },

    disappoint(runId, error) {
      lost.set(runId, error);
      reject(runId, error);
    },

    expected: (runId) => void lost.delete(runId),

    disappointAll(error) {
      closed = error;
      for (const runId of [...waiters.keys()]) reject(runId, error);
    },
  };
}

/** Those who wait for runs to end. */
import type { StepwellError } from "../errors.ts";

export interface Waiters {
  /**
   * Settles when the run has ended, or rejects with the reason of the signal.
   * @param hasEnded Asked once, for a run that may have ended before anybody could be told.
   */
  wait(runId: string, hasEnded: () => Promise<boolean>, signal?: AbortSignal): Promise<void>;
  /** The run has ended, or, with an error, nobody here will see its end. */
  tell(runId: string, error?: StepwellError): void;
  tellAll(error: StepwellError): void;
}

export function createWaiters(): Waiters {
  const waiters = new Map<string, Set<(error?: unknown) => void>>();

  function tell(runId: string, error?: StepwellError): void {
    const told = waiters.get(runId);
    waiters.delete(runId);
    for (const waiter of told ?? []) waiter(error);
  }

  function part(runId: string, waiter: (error?: unknown) => void): void {
    const others = waiters.get(runId);
    others?.delete(waiter);
    if (others?.size === 0) waiters.delete(runId);
  }

  return {
    async wait(runId, hasEnded, signal) {
      signal?.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        // Timers of the clock let a process end; one that waits for a run must not.
        const hold = setInterval(() => {}, 2 ** 30);
        const settle = (error?: unknown) => {
          part(runId, settle);
          clearInterval(hold);
          signal?.removeEventListener("abort", aborted);
          if (error === undefined) resolve();
          else reject(error);
        };
        const aborted = () => settle(signal?.reason);
        const others = waiters.get(runId);
        if (others === undefined) waiters.set(runId, new Set([settle]));
        else others.add(settle);
        signal?.addEventListener("abort", aborted);
        hasEnded().then((isOver) => {
          if (isOver) settle();
        }, settle);
      });
    },

    tell,
    tellAll(error) {
      for (const runId of [...waiters.keys()]) tell(runId, error);
    },
  };
}

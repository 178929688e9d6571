/** Callers that wait for the same end. */
import { keepRunning } from "./keep-running.ts";

export interface Waiters {
  /** Waits until {@link settle} is called, and keeps the process alive until then. Rejects with the signal's reason. */
  wait(signal?: AbortSignal): Promise<void>;
  /** Ends all waits. They reject if there is an error. */
  settle(error?: Error): void;
}

export function createWaiters(): Waiters {
  const waiting = new Set<(error?: Error) => void>();

  return {
    async wait(signal) {
      signal?.throwIfAborted();
      const release = keepRunning();
      try {
        await new Promise<void>((resolve, reject) => {
          const leave = () => {
            waiting.delete(settle);
            signal?.removeEventListener("abort", onAbort);
          };
          const settle = (error?: Error) => {
            leave();
            if (error === undefined) resolve();
            else reject(error);
          };
          const onAbort = () => {
            leave();
            reject(signal?.reason);
          };
          waiting.add(settle);
          signal?.addEventListener("abort", onAbort);
        });
      } finally {
        release();
      }
    },

    settle(error) {
      for (const settle of [...waiting]) settle(error);
    },
  };
}

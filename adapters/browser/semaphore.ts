/** A semaphore that serves waiters in order. */

export interface Semaphore {
  /** Rejects with the signal's reason when it aborts. @returns A function that releases the semaphore. */
  acquire(signal: AbortSignal): Promise<() => void>;
}

export function createSemaphore(limit: number): Semaphore {
  const waiting = new Set<() => void>();
  let free = limit;

  function release(): void {
    const [next] = waiting;
    if (next === undefined) free++;
    else next();
  }

  /** Returns a function that releases the semaphore only once. */
  function createRelease(): () => void {
    let isOver = false;
    return () => {
      if (!isOver) release();
      isOver = true;
    };
  }

  return {
    async acquire(signal) {
      signal.throwIfAborted();
      if (free > 0) {
        free--;
        return createRelease();
      }
      await new Promise<void>((resolve, reject) => {
        const aborted = () => {
          waiting.delete(called);
          reject(signal.reason);
        };
        const called = () => {
          waiting.delete(called);
          signal.removeEventListener("abort", aborted);
          resolve();
        };
        waiting.add(called);
        signal.addEventListener("abort", aborted, { once: true });
      });
      return createRelease();
    },
  };
}

/** A semaphore: limits how many tasks run at once. The others wait in the order of the calls. */

export interface Semaphore {
  /** Whether a task waits. */
  hasWaiting(): boolean;
  /** Runs the task as soon as fewer than the maximum are running. */
  run<T>(task: () => Promise<T>): Promise<T>;
}

/** @param limit Maximum number of tasks at once. */
export function createSemaphore(limit: number): Semaphore {
  let free = limit;
  const waiting = new Set<() => void>();

  function end(): void {
    const [next] = waiting;
    if (next === undefined) {
      free++;
      return;
    }
    waiting.delete(next);
    next();
  }

  return {
    hasWaiting: () => waiting.size > 0,
    async run(task) {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.add(resolve));
      try {
        return await task();
      } finally {
        end();
      }
    },
  };
}

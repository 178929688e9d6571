/** Lets so many at once do something, the others in the order in which they came. */

export interface Semaphore {
  /** Rejects with the signal's reason once that is aborted. @returns Gives the turn back. */
  acquire(signal: AbortSignal): Promise<() => void>;
}

export function createSemaphore(most: number): Semaphore {
  const waiting = new Set<() => void>();
  let free = most;

  function giveBack(): void {
    const [next] = waiting;
    if (next === undefined) free++;
    else next();
  }

  /** Whoever asks twice gives back once. */
  function turn(): () => void {
    let isOver = false;
    return () => {
      if (!isOver) giveBack();
      isOver = true;
    };
  }

  return {
    async acquire(signal) {
      signal.throwIfAborted();
      if (free > 0) {
        free--;
        return turn();
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
      return turn();
    },
  };
}

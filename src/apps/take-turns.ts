/** Lets a few work at once. Whoever needs longer than a turn lines up again. */

export interface Turns {
  /** Whether someone waits for a turn. */
  isAnyoneWaiting(): boolean;
  /** Works once it is this one's turn, in the order of the calls. */
  take<T>(work: () => Promise<T>): Promise<T>;
}

/** @param atOnce Number of turns at once. */
export function createTurns(atOnce: number): Turns {
  let free = atOnce;
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
    isAnyoneWaiting: () => waiting.size > 0,
    async take(work) {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.add(resolve));
      try {
        return await work();
      } finally {
        end();
      }
    },
  };
}

/**
 * Time, so that tests can control it. There are two kinds: the wall clock, which can be adjusted and continues while a
 * machine sleeps, and the elapsed time of the process.
 */
export interface Clock {
  /** The wall clock in milliseconds since 1970, UTC. */
  now(): number;
  /**
   * Calls back once after this many milliseconds have elapsed, regardless of the wall clock. Returns a function that
   * cancels. Doesn't keep the process alive.
   */
  after(milliseconds: number, callback: () => void): () => void;
  /**
   * Calls back once when the wall clock reaches a moment in milliseconds since 1970. If the clock was adjusted or the
   * machine slept, it is late by about a second at most. Returns a function that cancels. Doesn't keep the process
   * alive. Default: `after` the remaining milliseconds, which is right for clocks that are never adjusted.
   */
  at?(moment: number, callback: () => void): () => void;
  /** Elapsed milliseconds since any fixed moment. Default: `now`, which is right for clocks that are never adjusted. */
  elapsed?(): number;
  /**
   * Calls back once in a later turn of the event loop, after everything that is ready now. Default: the runtime's
   * `setImmediate` or equivalent, which is right for clocks that don't control the event loop.
   */
  nextTurn?(callback: () => void): void;
}

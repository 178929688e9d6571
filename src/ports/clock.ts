/**
 * Time, so that tests can move it. There are two: the wall clock, which can be set and goes on while a machine sleeps,
 * and the time that elapses for the process.
 */
export interface Clock {
  /** The wall clock: milliseconds since 1970, UTC. */
  now(): number;
  /**
   * Calls back once when so many milliseconds have elapsed, whatever happens to the wall clock meanwhile; the answer
   * cancels. Never keeps a process alive.
   */
  after(milliseconds: number, callback: () => void): () => void;
  /**
   * Calls back once when the wall clock has reached a moment (milliseconds since 1970), within about a second where it
   * was set or the machine slept; the answer cancels. Never keeps a process alive. Left out, `after` the milliseconds
   * that are missing now: right for clocks that nobody sets.
   */
  at?(moment: number, callback: () => void): () => void;
  /** Milliseconds that have elapsed since any one moment. Left out, `now`: right for clocks that nobody sets. */
  elapsed?(): number;
  /**
   * Calls back once in a later turn of the event loop, behind everything that is ready by then. Left out, `setImmediate`
   * or the like of the runtime: right for clocks that leave the event loop alone.
   */
  nextTurn?(callback: () => void): void;
}

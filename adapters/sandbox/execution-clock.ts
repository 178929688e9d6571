/** A clock for the time limit of code, for runtimes whose own clock stands still while code runs. */

/** Approximate time between two calls of QuickJS's interrupt handler, in milliseconds: 10,000 jumps or calls. */
const MS_PER_READING = 0.1;

/**
 * In production, the clock of Cloudflare Workers stands still until the next input or output, so that code cannot measure
 * the time of other code. While a clock stands still, each reading counts as time.
 */
export function createExecutionClock(now: () => number = () => performance.now()): () => number {
  let last = Number.NaN;
  let counted = 0;
  return () => {
    const time = now();
    counted = time === last ? counted + MS_PER_READING : 0;
    last = time;
    return time + counted;
  };
}

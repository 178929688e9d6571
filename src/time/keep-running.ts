/** Keeps the process alive while a caller waits. The timers of the clock do not. */

/** Not a closure of the caller, so that a timer that is never cleared keeps nothing else in memory. */
const noop = () => {};

/** The longest interval is about 25 days. */
const INTERVAL_MS = 2 ** 31 - 1;

/** Keeps the process alive until the returned function is called. */
export function keepRunning(): () => void {
  const timer = setInterval(noop, INTERVAL_MS);
  return () => clearInterval(timer);
}

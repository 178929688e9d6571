/** A clock whose timers fire sooner than asked, and that remembers what was waited for. */
import type { Clock } from "../../src/index.ts";

/** What a timer takes at most. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * @param times How many times sooner.
 * @param longest Milliseconds; what waits longer waits in full. For time limits that nothing may reach on a busy machine.
 */
export function quickClock(times = 1_000, longest = Number.POSITIVE_INFINITY) {
  const waits: number[] = [];
  const clock: Clock = {
    now: () => Date.now(),
    after(milliseconds, callback) {
      waits.push(milliseconds);
      const timer = setTimeout(
        callback,
        milliseconds > longest ? Math.min(milliseconds, MAX_TIMER_MS) : milliseconds / times,
      );
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
  /** Milliseconds asked for, in order. */
  return { ...clock, waits };
}

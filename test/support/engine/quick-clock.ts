/** A clock whose timers fire sooner than asked, and that remembers what was waited for. */
import type { Clock } from "../../../src/index.ts";

/** What a timer takes at most. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** Longer than every pause before another try, shorter than every time limit of a step. */
const LONGEST_PAUSE_MS = 30_000;

/**
 * @param times How many times sooner.
 * @param longest Milliseconds; what waits longer waits in full, until `fire` is called for it. For time limits that
 * nothing may reach on a busy machine.
 */
export function quickClock(times = 1_000, longest = LONGEST_PAUSE_MS) {
  const waits: number[] = [];
  const pending = new Set<{ readonly milliseconds: number; readonly callback: () => void }>();
  const clock: Clock = {
    now: () => Date.now(),
    after(milliseconds, callback) {
      waits.push(milliseconds);
      const wait = { milliseconds, callback: () => pending.delete(wait) && callback() };
      pending.add(wait);
      const isFull = milliseconds > longest;
      const timer = setTimeout(wait.callback, isFull ? Math.min(milliseconds, MAX_TIMER_MS) : milliseconds / times);
      timer.unref();
      return () => {
        pending.delete(wait);
        clearTimeout(timer);
      };
    },
  };
  return {
    ...clock,
    /** Milliseconds asked for, in order. */
    waits,
    /** Ends the waits of this length that are not over. */
    fire(milliseconds: number): void {
      for (const wait of [...pending]) if (wait.milliseconds === milliseconds) wait.callback();
    },
  };
}

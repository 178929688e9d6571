/** A clock whose timers fire so many times sooner, and that remembers what was waited for. */
import type { Clock } from "../../src/index.ts";

export function quickClock(times = 1_000) {
  const waits: number[] = [];
  const clock: Clock = {
    now: () => Date.now(),
    after(milliseconds, callback) {
      waits.push(milliseconds);
      const timer = setTimeout(callback, milliseconds / times);
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
  /** Milliseconds asked for, in order. */
  return { ...clock, waits };
}

/** A clock whose long timers fire when a test says so, so that no time limit depends on the machine. */
import type { Clock } from "../../../src/ports/clock.ts";
import { systemClock } from "../../../src/time/system-clock.ts";

export interface HandClock extends Clock {
  /** Fires all timers that are pending with this delay. */
  fire(milliseconds: number): void;
}

/** @param shortest Milliseconds. Shorter timers, such as pauses between attempts, are real ones. */
export function createHandClock(shortest = 1_000): HandClock {
  const pending = new Set<{ readonly milliseconds: number; readonly callback: () => void }>();
  return {
    ...systemClock,
    after(milliseconds, callback) {
      if (milliseconds < shortest) return systemClock.after(milliseconds, callback);
      const timer = { milliseconds, callback };
      pending.add(timer);
      return () => pending.delete(timer);
    },
    fire(wanted) {
      for (const timer of [...pending].filter(({ milliseconds }) => milliseconds === wanted)) {
        pending.delete(timer);
        timer.callback();
      }
    },
  };
}

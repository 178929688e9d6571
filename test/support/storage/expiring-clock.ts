/** A clock whose time limits pass when a test says so. Pauses between attempts are real. */
import type { Clock } from "../../../src/ports/clock.ts";
import { systemClock } from "../../../src/time/system-clock.ts";

/** Pauses are shorter. */
const LEAST_LIMIT_MS = 2_000;

export interface ExpiringClock extends Clock {
  /** Lets all time limits pass that have begun. */
  expire(): void;
}

export function createExpiringClock(): ExpiringClock {
  let elapsed = 0;
  const limits = new Set<() => void>();
  return {
    now: () => systemClock.now(),
    elapsed: () => elapsed,
    after(milliseconds, callback) {
      if (milliseconds < LEAST_LIMIT_MS) return systemClock.after(milliseconds, callback);
      limits.add(callback);
      return () => limits.delete(callback);
    },
    expire() {
      elapsed += 1_000_000;
      const passed = [...limits];
      limits.clear();
      for (const callback of passed) callback();
    },
  };
}

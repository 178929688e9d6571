/** A clock whose timers fire faster than real time, and that records all delays. */
import type { Clock } from "../../../src/index.ts";

/** The longest delay that setTimeout supports. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** The longest backoff, of src/engine/execution/retry-storage.ts. Timeouts of drivers and steps are 30 seconds or more. */
const LONGEST_PAUSE_MS = 25_000;
/**
 * What close() allows the storage, src/compose/shutdown.ts, and how long a webhook waits for a response,
 * src/webhooks/send-event.ts. Nothing may reach these limits on a busy machine.
 */
const LIMITS_MS: ReadonlySet<number> = new Set([15_000, 18_000, 20_000]);

/**
 * @param times How many times faster than real time.
 * @param longest Milliseconds; longer timers keep their full delay unless `fire` is called for them. They are timeouts
 * that nothing may reach on a busy machine.
 * @param isAdvancing Whether the time of a timer has come when it fires. Otherwise, the time is the real one.
 */
export function quickClock(times = 1_000, longest = LONGEST_PAUSE_MS, isAdvancing = true) {
  const waits: number[] = [];
  const pending = new Set<{ readonly milliseconds: number; readonly callback: () => void }>();
  /** How far the clock is ahead of the real time, in milliseconds. */
  let ahead = 0;
  const clock: Clock = {
    now: () => Date.now() + ahead,
    after(milliseconds, callback) {
      waits.push(milliseconds);
      const due = clock.now() + milliseconds;
      const wait = {
        milliseconds,
        callback() {
          if (!pending.delete(wait)) return;
          if (isAdvancing) ahead = Math.max(ahead, Math.ceil(due - Date.now()));
          callback();
        },
      };
      pending.add(wait);
      const isFull = milliseconds > longest || LIMITS_MS.has(milliseconds);
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
    /** All requested delays in milliseconds, in order. */
    waits,
    /** Number of timers with this delay, or less than a second less. */
    count: (milliseconds: number) => waits.filter((wait) => isAbout(wait, milliseconds)).length,
    /** Fires all pending timers with this delay, or less than a second less. */
    fire(milliseconds: number): void {
      for (const wait of [...pending]) if (isAbout(wait.milliseconds, milliseconds)) wait.callback();
    },
  };
}

/** A timer for a stored moment is shorter by the time that storing it took. */
const isAbout = (wait: number, milliseconds: number) => wait <= milliseconds && wait > milliseconds - 1_000;

/** Times out storage calls after 150 ms instead of 30 s. Timeouts of steps are unchanged. An outage takes no time. */
export const quickStorageClock = () => quickClock(200, 45_000, false);

/** The clock of the machine. */
import type { Clock } from "./ports/clock.ts";

/** Timers hold at most this much (a signed 32-bit number of milliseconds); longer waits go in laps. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** How often the wall clock is compared with the time that timers measure, while any timer is armed. */
const LOOK_MS = 1_000;
/** How far both may be apart: less is how an NTP daemon keeps a clock right. */
const DRIFT_MS = 500;

/** Timers that are armed, by what arms each anew. */
const armed = new Set<() => void>();
let isLooking = false;

/** Waits until the wall clock has moved otherwise than timers have: it was set, or the machine slept. */
function look(): void {
  if (isLooking) return;
  isLooking = true;
  const wall = Date.now();
  const elapsed = performance.now();
  unref(
    setTimeout(() => {
      isLooking = false;
      const isMoved = Math.abs(Date.now() - wall - (performance.now() - elapsed)) > DRIFT_MS;
      // A sleep may stop both clocks that a timer has, but never the wall clock.
      if (isMoved) for (const arm of [...armed]) arm();
      if (armed.size > 0) look();
    }, LOOK_MS),
  );
}

/**
 * Timers follow the wall clock: after it was set forward, or the machine slept, what is due fires within about a second;
 * set back, it fires when its moment comes by the clock as it is then, and no timer fires twice.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, callback) {
    const due = Date.now() + milliseconds;
    let timer: ReturnType<typeof setTimeout> | undefined;
    function fire(): void {
      // The clock was set back, or the lap was the longest that a timer takes.
      if (due > Date.now() + 1) {
        arm();
        return;
      }
      armed.delete(arm);
      callback();
    }
    function arm(): void {
      clearTimeout(timer);
      timer = setTimeout(fire, Math.min(MAX_TIMER_MS, Math.max(0, due - Date.now())));
      unref(timer);
    }
    arm();
    // What fires within a second needs no look.
    if (milliseconds > LOOK_MS) {
      armed.add(arm);
      look();
    }
    return () => {
      armed.delete(arm);
      clearTimeout(timer);
    };
  },
};

/** Node and Bun give an object; Deno and browsers a number, which holds no process. */
function unref(timer: ReturnType<typeof setTimeout>): void {
  if (typeof timer === "object") timer.unref();
}

/** The end of the year 9999: what lies behind it has more digits, and as text it would come before everything else. */
export const LAST_INSTANT = Date.UTC(10_000, 0) - 1;

/** Much happens within one millisecond, and spelling it out costs more than anything else about it. */
let last = { milliseconds: 0, text: "1970-01-01T00:00:00.000Z" };

/** An instant as ISO 8601 in UTC, with milliseconds. */
export function instant(milliseconds: number): string {
  if (milliseconds !== last.milliseconds) last = { milliseconds, text: new Date(milliseconds).toISOString() };
  return last.text;
}

/** The date part of an ISO instant. */
export function dateOf(iso: string): string {
  return iso.slice(0, 10);
}

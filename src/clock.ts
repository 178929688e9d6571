/** The clock of the machine. */
import type { Clock } from "./ports/clock.ts";

/** Timers hold at most this much (a signed 32-bit number of milliseconds); longer waits go in laps. */
const MAX_TIMER = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, callback) {
    const due = Date.now() + milliseconds;
    let timer: ReturnType<typeof setTimeout>;
    const lap = () => {
      const left = due - Date.now();
      timer = left > MAX_TIMER ? setTimeout(lap, MAX_TIMER) : setTimeout(callback, Math.max(0, left));
      // Node and Bun give an object; Deno and browsers a number, which holds no process.
      if (typeof timer === "object") timer.unref();
    };
    lap();
    return () => clearTimeout(timer);
  },
};

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

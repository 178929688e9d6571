/** A clock that moves only when a test advances it. */
import type { Clock } from "../ports/clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../time/units.ts";

/** A clock that moves only when a test advances it. */
export interface TestClock extends Clock {
  /**
   * Moves time forward and fires the timers that become due, in order.
   * @param by Milliseconds, or a duration such as `90s`, `15m`, `1h` or `2d`.
   */
  advance(by: number | string): Promise<void>;
}

const UNITS = { ms: 1, s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS } as const;

/** Creates a clock for the option `clock`. @param start ISO 8601. @default "2030-01-01T00:00:00.000Z" */
export function createTestClock(start = "2030-01-01T00:00:00.000Z"): TestClock {
  let now = Date.parse(start);
  let timers: readonly { readonly due: number; readonly callback: () => void }[] = [];

  /** Waits until pending work settles: promises, and the turns of the event loop that they take. */
  async function settle(): Promise<void> {
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
  }

  function nextDueTime(until: number): number | undefined {
    const times = timers.map(({ due }) => due).filter((due) => due <= until);
    return times.sort((one, other) => one - other)[0];
  }

  /** Like real timers: promises settle between timers of the same time, everything else after them. */
  async function fire(time: number): Promise<void> {
    for (const timer of timers.filter(({ due }) => due === time)) {
      if (!timers.includes(timer)) continue; // canceled by an earlier one
      timers = timers.filter((other) => other !== timer);
      timer.callback();
      await Promise.resolve();
    }
    await settle();
  }

  return {
    now: () => now,
    after(milliseconds, callback) {
      const timer = { due: now + milliseconds, callback };
      timers = [...timers, timer];
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    async advance(by) {
      const until = now + inMilliseconds(by);
      await settle();
      for (let time = nextDueTime(until); time !== undefined; time = nextDueTime(until)) {
        now = Math.max(now, time);
        await fire(time);
      }
      now = until;
    },
  };
}

function inMilliseconds(by: number | string): number {
  if (typeof by === "number") return by;
  const [, amount = "", unit = ""] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(by) ?? [];
  const size = UNITS[unit as keyof typeof UNITS]; // undefined for an unknown unit
  if (size === undefined)
    throw new TypeError(`${JSON.stringify(by)} is not a duration. Use a format such as "90s" or "1h".`);
  return Number(amount) * size;
}

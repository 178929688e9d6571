/** Time that stands still until a scenario lets it pass; fake timers of a test runner do not exist on every runtime. */
import { setImmediate } from "node:timers/promises";

export interface StandingTime {
  /** Moves the clock, and fires what is due. */
  pass(milliseconds: number): void;
  /** Lets time pass, and acts, in steps until this has settled. */
  passUntil<T>(work: Promise<T>, step: number, act?: () => void): Promise<T>;
}

/** Replaces `setTimeout`, `clearTimeout`, `Date.now` and `performance.now` of the process meanwhile. */
export async function withTime<T>(work: (time: StandingTime) => Promise<T>): Promise<T> {
  const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout, now: Date.now };
  const elapsed = performance.now;
  const timers = new Map<unknown, { readonly due: number; readonly callback: () => void }>();
  let now = real.now();

  const set = (callback: () => void, milliseconds = 0) => {
    const timer = real.setTimeout(() => undefined); // its handle is what the runtime gives
    timers.set(timer, { due: now + milliseconds, callback });
    return timer;
  };
  const clear: typeof clearTimeout = (timer) => {
    timers.delete(timer);
    real.clearTimeout(timer);
  };
  const pass = (milliseconds: number) => {
    now += milliseconds;
    for (const [key, { due, callback }] of [...timers]) if (due <= now && timers.delete(key)) callback();
  };
  const time: StandingTime = {
    pass,
    async passUntil(promise, step, act = () => undefined) {
      let isOver = false;
      const over = promise.finally(() => {
        isOver = true;
      });
      while (!isOver) {
        for (let turn = 0; turn < 20; turn++) await setImmediate();
        if (!isOver) pass(step);
        if (!isOver) act();
      }
      return over;
    },
  };

  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  Date.now = () => now;
  performance.now = () => now;
  try {
    return await work(time);
  } finally {
    Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout });
    Date.now = real.now;
    performance.now = elapsed;
  }
}

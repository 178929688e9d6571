/** Time that only moves when a scenario advances it; not every runtime has fake timers of a test runner. */
import { setImmediate } from "node:timers/promises";

export interface FrozenTime {
  /** Advances the clock, and fires due timers. */
  pass(milliseconds: number): void;
  /** Advances the clock in steps, acting after each, until the work settles. */
  passUntil<T>(work: Promise<T>, step: number, act?: () => void): Promise<T>;
}

/** Replaces `setTimeout`, `clearTimeout`, `Date.now` and `performance.now` of the process during the work. */
export async function withTime<T>(work: (time: FrozenTime) => Promise<T>): Promise<T> {
  const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout, now: Date.now };
  const elapsed = performance.now;
  const timers = new Map<unknown, { readonly due: number; readonly callback: () => void }>();
  let now = real.now();

  const set = (callback: () => void, milliseconds = 0) => {
    const timer = real.setTimeout(() => undefined); // for a handle of the type that the runtime uses
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
  const time: FrozenTime = {
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

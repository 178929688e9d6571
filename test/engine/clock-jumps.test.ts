/** The clock of the machine, when the wall clock is set and when the machine sleeps. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createSystemClock } from "../../src/time/system-clock.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

// Of its own: what other services left in the one they share would look for their alarms, by the time of the machine.
let systemClock = createSystemClock();
// Setting the time of these leaves their timers alone, as setting the clock of a machine does.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  systemClock = createSystemClock();
});
afterEach(() => void vi.useRealTimers());

/** Moves the wall clock, and no timer: it was set, or the machine slept. */
const moveWallClock = (by: number): unknown => vi.setSystemTime(Date.now() + by);

describe("systemClock.at", () => {
  it("fires at its moment while nobody touches the clock, once", () => {
    const fired = vi.fn();
    systemClock.at?.(Date.now() + 30 * MINUTE, fired);
    vi.advanceTimersByTime(30 * MINUTE - 1);
    expect(fired).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    vi.advanceTimersByTime(HOUR);
    expect(fired).toHaveBeenCalledTimes(1);
  });

  it("fires within a second of a jump forward, in the order of the moments, each once", () => {
    const fired: string[] = [];
    systemClock.at?.(Date.now() + 30 * MINUTE, () => fired.push("second"));
    systemClock.at?.(Date.now() + 10 * MINUTE, () => fired.push("first"));
    systemClock.at?.(Date.now() + 20 * MINUTE, () => fired.push("canceled"))();
    const cancel = systemClock.at?.(Date.now() + 3 * HOUR, () => fired.push("later"));
    moveWallClock(HOUR);
    vi.advanceTimersByTime(SECOND);
    expect(fired).toEqual(["first", "second"]);
    moveWallClock(HOUR);
    vi.advanceTimersByTime(SECOND);
    expect(fired).toEqual(["first", "second"]);
    cancel?.();
  });

  it("fires after many jumps that are each too small to stand out", () => {
    const fired = vi.fn();
    systemClock.at?.(Date.now() + HOUR, fired);
    for (let jump = 0; jump < 10_000 && fired.mock.calls.length === 0; jump++) {
      moveWallClock(400);
      vi.advanceTimersByTime(SECOND);
    }
    expect(fired).toHaveBeenCalledTimes(1);
  });

  it("waits for its moment after a jump back, and fires once", () => {
    const fired = vi.fn();
    systemClock.at?.(Date.now() + 30 * MINUTE, fired);
    moveWallClock(-HOUR);
    vi.advanceTimersByTime(89 * MINUTE);
    expect(fired).not.toHaveBeenCalled();
    vi.advanceTimersByTime(MINUTE);
    expect(fired).toHaveBeenCalledTimes(1);
  });

  it("does not fire what one that is due at the same look cancels", () => {
    const fired = vi.fn();
    let cancel: (() => void) | undefined;
    systemClock.at?.(Date.now() + 10 * MINUTE, () => cancel?.());
    cancel = systemClock.at?.(Date.now() + 20 * MINUTE, fired);
    moveWallClock(HOUR);
    vi.advanceTimersByTime(SECOND);
    expect(fired).not.toHaveBeenCalled();
  });
});

describe("systemClock.after", () => {
  it("measures elapsed time, whatever happens to the wall clock", () => {
    const fired = vi.fn();
    systemClock.after(30 * MINUTE, fired);
    moveWallClock(HOUR);
    vi.advanceTimersByTime(30 * MINUTE - 1);
    expect(fired).not.toHaveBeenCalled();
    moveWallClock(-3 * HOUR);
    vi.advanceTimersByTime(1);
    expect(fired).toHaveBeenCalledTimes(1);
  });

  it("waits longer than a timer of the machine can, and can be canceled in any lap", () => {
    const DAY = 24 * HOUR;
    const fired = vi.fn();
    systemClock.after(60 * DAY, fired);
    const cancel = systemClock.after(59 * DAY, fired);
    vi.advanceTimersByTime(40 * DAY);
    cancel();
    vi.advanceTimersByTime(20 * DAY - 1);
    expect(fired).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(fired).toHaveBeenCalledTimes(1);
  });
});

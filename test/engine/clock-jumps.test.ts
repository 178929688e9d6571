/** The system clock when the wall clock is changed and when the machine sleeps. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createSystemClock } from "../../src/time/system-clock.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

// A clock of its own: the shared one still has alarms of other services.
let systemClock = createSystemClock();
// Setting the fake time leaves fake timers alone, as setting the clock of a machine does.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  systemClock = createSystemClock();
});
afterEach(() => void vi.useRealTimers());

/** Moves the wall clock without timers, as when it is set or the machine sleeps. */
const moveWallClock = (by: number): unknown => vi.setSystemTime(Date.now() + by);

describe("systemClock.at", () => {
  it("fires once, when it is due", () => {
    const fired = vi.fn();
    systemClock.at?.(Date.now() + 30 * MINUTE, fired);
    vi.advanceTimersByTime(30 * MINUTE - 1);
    expect(fired).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    vi.advanceTimersByTime(HOUR);
    expect(fired).toHaveBeenCalledTimes(1);
  });

  it("fires overdue alarms once and in order within a second of a jump forward", () => {
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

  it("fires after many small jumps forward", () => {
    const fired = vi.fn();
    systemClock.at?.(Date.now() + HOUR, fired);
    for (let jump = 0; jump < 10_000 && fired.mock.calls.length === 0; jump++) {
      moveWallClock(400);
      vi.advanceTimersByTime(SECOND);
    }
    expect(fired).toHaveBeenCalledTimes(1);
  });

  it("fires once, when it is due, after a jump back", () => {
    const fired = vi.fn();
    systemClock.at?.(Date.now() + 30 * MINUTE, fired);
    moveWallClock(-HOUR);
    vi.advanceTimersByTime(89 * MINUTE);
    expect(fired).not.toHaveBeenCalled();
    vi.advanceTimersByTime(MINUTE);
    expect(fired).toHaveBeenCalledTimes(1);
  });

  it("doesn't fire an overdue alarm that an earlier overdue one cancels", () => {
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
  it("measures elapsed time, independent of the wall clock", () => {
    const fired = vi.fn();
    systemClock.after(30 * MINUTE, fired);
    moveWallClock(HOUR);
    vi.advanceTimersByTime(30 * MINUTE - 1);
    expect(fired).not.toHaveBeenCalled();
    moveWallClock(-3 * HOUR);
    vi.advanceTimersByTime(1);
    expect(fired).toHaveBeenCalledTimes(1);
  });

  it("supports delays longer than setTimeout can, and can be canceled during them", () => {
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

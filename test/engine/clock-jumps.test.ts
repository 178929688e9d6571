/** Timers of the machine's clock when that clock is set: they follow it, and fire once. */
import { afterEach, expect, it, vi } from "vitest";
import { systemClock } from "../../src/clock.ts";

afterEach(() => vi.restoreAllMocks());

const real = Date.now.bind(Date);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Sets the wall clock so far off the time that timers measure. */
function setClock(offset: number): void {
  vi.spyOn(Date, "now").mockImplementation(() => real() + offset);
}

it("fire after a jump forward, each once", { timeout: 60_000 }, async () => {
  const fired: string[] = [];
  systemClock.after(30 * MINUTE, () => fired.push("half"));
  const cancel = systemClock.after(2 * HOUR, () => fired.push("later"));
  systemClock.after(20 * MINUTE, () => fired.push("canceled"))();
  setClock(HOUR);
  await vi.waitUntil(() => fired.length > 0, { timeout: 50_000 });
  expect(fired).toEqual(["half"]);
  setClock(3 * HOUR);
  await vi.waitUntil(() => fired.length > 1, { timeout: 50_000 });
  expect(fired).toEqual(["half", "later"]);
  cancel();
});

it("wait for their moment after a jump back, and fire once", { timeout: 60_000 }, async () => {
  let fired = 0;
  const cancel = systemClock.after(30 * MINUTE, () => fired++);
  setClock(-HOUR);
  let other = 0;
  systemClock.after(30 * MINUTE, () => other++)();
  setClock(31 * MINUTE);
  await vi.waitUntil(() => fired > 0, { timeout: 50_000 });
  expect([fired, other]).toEqual([1, 0]);
  cancel();
});

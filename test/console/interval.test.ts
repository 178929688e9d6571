/** Intervals in the unit that people say. */
import { expect, it } from "vitest";
import { intervalOf, secondsOf } from "../../adapters/console/app/schedules/interval.ts";

it.each([
  [1, 1, "seconds"],
  [90, 90, "seconds"],
  [60, 1, "minutes"],
  [3_600, 1, "hours"],
  [5_400, 90, "minutes"],
  [7_200, 2, "hours"],
  [86_400, 1, "days"],
  [31_622_400, 366, "days"],
] as const)("%d seconds are %d %s", (seconds, amount, unit) => {
  expect(intervalOf(seconds)).toEqual({ amount, unit });
  expect(secondsOf({ amount, unit })).toBe(seconds);
});

it("takes fractions of a unit to the whole second", () => {
  expect(secondsOf({ amount: 1.5, unit: "hours" })).toBe(5_400);
  expect(secondsOf({ amount: 1.1, unit: "minutes" })).toBe(66);
});

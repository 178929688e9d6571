/** What is wrong with a cron expression is found as croner finds it, but with the field and its limits. */
import { Cron } from "croner";
import { describe, expect, it } from "vitest";
import { findCronProblem } from "../../src/schedules/cron-problem.ts";

const VALUES = [
  ...["*", "?", "0", "5", "12", "31", "59", "60", "7", "8", "99", "01", "-1", "1.5", "1,2", "1,", "a", "W", "LAST"],
  ...["mon", "fri", "SUN", "jan", "dec", "mond", "monday", "L", "LW", "15W", "fri#2", "5L", "+mon"],
  ...["1-5", "5-1", "fri-sun", "fri-mon", "mon-7", "6-0", "0-0", "sat-sun", "1-", "*-5", "1-2-3"],
  ...["*/5", "*/0", "1-9/2", "1/2/3", "5/10", "*/a", "*/"],
];

const isRefusedByCroner = (cron: string) => {
  try {
    new Cron(cron, { timezone: "UTC", paused: true });
    return false;
  } catch {
    return true;
  }
};

describe("findCronProblem", () => {
  it("refuses nothing that croner takes", () => {
    const wrong = [0, 1, 2, 3, 4].flatMap((at) =>
      VALUES.map((value) => ["0", "0", "*", "*", "*"].with(at, value).join(" ")).filter(
        (cron) => findCronProblem(cron) !== null && !isRefusedByCroner(cron),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ["99 * * *", { kind: "count", given: 4 }],
    ["", { kind: "count", given: 0 }],
    ["* * * * * * *", { kind: "count", given: 7 }],
    ["99 * * * *", { kind: "value", field: "minute", value: "99", first: 0, last: 59 }],
    ["0 9 32 * *", { kind: "value", field: "day", value: "32", first: 1, last: 31 }],
    ["0 9 * 0 *", { kind: "value", field: "month", value: "0", first: 1, last: 12 }],
    ["0 9 * * mon-xyz", { kind: "value", field: "weekday", value: "mon-xyz", first: 0, last: 7 }],
    ["0 5-2 * * *", { kind: "value", field: "hour", value: "5-2", first: 0, last: 23 }],
    ["61 0 9 * * *", { kind: "value", field: "second", value: "61", first: 0, last: 59 }],
  ])("says what is wrong with %j", (cron, problem) => {
    expect(isRefusedByCroner(cron)).toBe(cron !== "* * * * * * *");
    expect(findCronProblem(cron)).toEqual(problem);
  });

  it.each(["0 9 * * mon-fri", " 30 0 9 * * 1 ", "0 0 L * *", "0 0 * * fri#2", "@daily", "*/15 8-18 1,15 jan-mar *"])(
    "finds nothing wrong with %j",
    (cron) => {
      expect(findCronProblem(cron)).toBeNull();
    },
  );
});

/** Cron expressions on the days of clock changes, as documented at `timezone`. */
import { expect, it } from "vitest";
import { createNextMoment } from "../../src/schedules/recurrence.ts";

async function momentsBetween(cron: string, from: string, to: string): Promise<string[]> {
  const next = await createNextMoment({ cron, timezone: "Europe/Berlin", every: null, at: null, counted_from: from });
  const found: string[] = [];
  for (let at = next(Date.parse(from)); at !== null && at < Date.parse(to); at = next(at)) {
    found.push(new Date(at).toISOString().slice(11, 16));
  }
  return found;
}

// 03:00 becomes 02:00 at 01:00 UTC.
it.each([
  ["30 2 * * *", ["00:30"]],
  ["0,30 2 * * *", ["00:00", "00:30", "01:00", "01:30"]],
  ["*/30 * * * *", ["23:00", "23:30", "00:00", "00:30", "01:00", "01:30", "02:00", "02:30"]],
])("when clocks go back, the cron expression %s runs at %j", async (cron, expected) => {
  expect(await momentsBetween(cron, "2026-10-24T22:30:00Z", "2026-10-25T03:00:00Z")).toEqual(expected);
});

// 02:00 becomes 03:00 at 01:00 UTC.
it.each([
  ["30 2 * * *", ["01:00"]],
  ["0,30 2 * * *", []],
  ["*/30 * * * *", ["00:00", "00:30", "01:00", "01:30"]],
])("when clocks go forward, the cron expression %s runs at %j", async (cron, expected) => {
  expect(await momentsBetween(cron, "2026-03-28T23:30:00Z", "2026-03-29T02:00:00Z")).toEqual(expected);
});

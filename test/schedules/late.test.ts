/** Schedules whose timers are late: what is at most 60 seconds late runs, each time once; older times count as missed. */
import { describe, expect, it } from "vitest";
import { type Clock, createStepwell, type ScheduleCreate, type Stepwell } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { turnEventLoop } from "../support/event-loop.ts";
import { hangingStorage } from "../support/storage/hanging.ts";

type Given = Omit<ScheduleCreate, "workflow_id">;
type Missed = NonNullable<ScheduleCreate["missed"]>;
const POLICIES: readonly Missed[] = ["skip", "once", "all"];
const START = "2030-01-01T00:00:00.000Z";
const at = (seconds: number) => new Date(Date.parse(START) + seconds * 1_000).toISOString();

/** A clock whose timers fire only when the test lets them, however late that is. */
function leapingClock() {
  let now = Date.parse(START);
  const timers = new Set<{ readonly due: number; readonly callback: () => void }>();
  const clock: Clock = {
    now: () => now,
    after(milliseconds, callback) {
      const timer = { due: now + milliseconds, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  return {
    clock,
    /** Moves the time on at once, then fires what is due. @param by Seconds. */
    leap(by: number): void {
      now += by * 1_000;
      for (const timer of timers) {
        if (timer.due > now) continue;
        timers.delete(timer);
        timer.callback();
      }
    },
  };
}

/** With one schedule, which starts all runs. */
async function open(clock: Clock, driver = hangingStorage().driver) {
  const stepwell = createStepwell({ clock, storage: { entities: driver } });
  const app = (await stepwell.apps.create({ name: "Tests" })).id;
  const workflow = await stepwell.workflows.create(app, { name: "Report", steps: [] });
  await stepwell.workflows.deploy(app, workflow.id);
  const create = async (given: Given) =>
    (await stepwell.schedules.create(app, { workflow_id: workflow.id, input: {}, ...given })).id;
  const count = async () => (await stepwell.runs.list(app)).total;
  return { stepwell, app, create, count, last: (id: string) => lastOf(stepwell, app, id) };
}

/** The time of the last run, and of the next. */
async function lastOf(stepwell: Stepwell, app: string, id: string) {
  const { last, next_at } = await stepwell.schedules.get(app, id);
  return [last?.at, next_at];
}

describe("a process whose timers are late", () => {
  it.each(POLICIES)("starts a run for each time that is at most 60 seconds ago (missed: %s)", async (missed) => {
    const { clock, leap } = leapingClock();
    const t = await open(clock);
    const id = await t.create({ every: 3, missed });
    for (const [late, count] of [
      [10, 3],
      [9, 6],
      [60, 26],
    ] as const) {
      leap(late);
      await expect.poll(() => t.last(id)).toEqual([at(count * 3), at(count * 3 + 3)]);
      expect(await t.count()).toBe(count);
    }
    await turnEventLoop(100);
    expect(await t.count()).toBe(26);
    await t.stepwell.close();
  });

  it.each([
    ["skip", 3],
    ["once", 4],
    ["all", 6],
  ] as const)("treats older times as missed (%s)", async (missed, count) => {
    const { clock, leap } = leapingClock();
    const t = await open(clock);
    const id = await t.create({ every: 20, missed });
    // 20, 40 and 60 are missed; 80, 100 and 120 are late.
    leap(130);
    await expect.poll(() => t.last(id)).toEqual([at(120), at(140)]);
    expect(await t.count()).toBe(count);
    await t.stepwell.close();
  });

  it("starts at most 61 runs at once, those of the last minute", async () => {
    const { clock, leap } = leapingClock();
    const t = await open(clock);
    const id = await t.create({ every: 1, missed: "skip" });
    leap(400 * 24 * 3_600);
    await expect.poll(() => t.last(id)).toEqual([at(400 * 24 * 3_600), at(400 * 24 * 3_600 + 1)]);
    expect(await t.count()).toBe(61);
    await t.stepwell.close();
  });

  it("does not start the rest of them once it closes", async () => {
    const { clock, leap } = leapingClock();
    const data = new Map<string, string>();
    const t = await open(clock, hangingStorage(data).driver);
    const id = await t.create({ every: 1, missed: "all" });
    leap(3_600);
    await expect.poll(t.count).toBeGreaterThan(0);
    await t.stepwell.close();
    const { clock: later } = leapingClock();
    const next = createStepwell({ clock: later, storage: { entities: hangingStorage(data).driver } });
    const started = (await next.runs.list(t.app)).total ?? 0;
    expect(started).toBeLessThan(3_600);
    // It stopped between two runs: none is missing, and none was started twice.
    expect(await lastOf(next, t.app, id)).toEqual([at(started), at(started + 1)]);
    await next.close();
  });
});

it.each(POLICIES)("a store that is away for some seconds costs no run (missed: %s)", async (missed) => {
  const clock = createTestClock(START);
  const storage = hangingStorage();
  const t = await open(clock, storage.driver);
  const id = await t.create({ every: 3, missed });
  await clock.advance("4s");
  storage.hang();
  await clock.advance("15s");
  storage.release();
  await expect.poll(() => t.last(id)).toEqual([at(18), at(21)]);
  await clock.advance("3s");
  expect(await t.count()).toBe(7);
  await t.stepwell.close();
});

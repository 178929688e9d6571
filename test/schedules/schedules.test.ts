/** Schedules: at a time, at an interval, by a cron expression; each time runs once, even across crashes. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { InputDefinition, ScheduleCreate, Step } from "../../src/index.ts";
import { createTestClock, createTestService, type TestClock, type TestService } from "../../src/testing/index.ts";
import { turnEventLoop } from "../support/event-loop.ts";

let clock: TestClock;
let service: TestService;
let workflow_id: string;
beforeEach(async () => {
  clock = createTestClock("2030-01-01T00:00:30.000Z");
  service = await createTestService({ clock });
  workflow_id = await deployWorkflow();
});
afterEach(() => service.close());

async function deployWorkflow(): Promise<string> {
  const { id } = await service.stepwell.workflows.create(service.app, {
    name: "Report",
    input: { n: { type: "number" } },
    steps: [{ type: "input", key: "start", input: {} }],
  });
  await service.stepwell.workflows.deploy(service.app, id);
  return id;
}

/** Deploys a version with other input fields. */
async function deployWithInput(input: InputDefinition): Promise<void> {
  const steps: Step[] = [{ type: "input", key: "start", input: {} }];
  await service.stepwell.workflows.putDraft(service.app, workflow_id, { input, steps });
  await service.stepwell.workflows.deploy(service.app, workflow_id);
}

const create = (given: Omit<ScheduleCreate, "workflow_id">) =>
  service.stepwell.schedules.create(service.app, { workflow_id, input: { n: 1 }, ...given });
const runs = async () =>
  (await service.stepwell.runs.list(service.app)).items.map(({ created_at }) => created_at.slice(11, 19)).reverse();
const get = (id: string) => service.stepwell.schedules.get(service.app, id);

describe("a schedule", () => {
  it("runs at an interval and shows upcoming and last runs", async () => {
    const made = await create({ every: 60, name: "Each minute" });
    expect(made).toMatchObject({
      ...{ every: 60, cron: null, at: null, timezone: null, missed: "once", paused: false, version: "latest" },
      next_at: "2030-01-01T00:01:30.000Z",
      last: null,
    });
    expect(made.upcoming.map((at) => at.slice(14, 19))).toEqual(["01:30", "02:30", "03:30", "04:30", "05:30"]);
    await clock.advance("150s");
    expect(await runs()).toEqual(["00:01:30", "00:02:30"]);
    const { next_at, last } = await get(made.id);
    const [run] = (await service.stepwell.runs.list(service.app)).items;
    expect(next_at).toBe("2030-01-01T00:03:30.000Z");
    expect(last).toEqual({ at: "2030-01-01T00:02:30.000Z", run_id: run?.id, error: null });
    expect((await service.stepwell.runs.get(service.app, run?.id ?? "")).output).toEqual({ n: 1 });
  });

  it("is created once for each key: a repeat with other settings is a conflict", async () => {
    const given = { key: "nightly", every: 60, input: { n: 1 } };
    const [made, same] = await Promise.all([create(given), create({ ...given, missed: "once", version: "latest" })]);
    expect(same).toEqual(made);
    for (const other of [
      { every: 90 },
      { name: "Changed" },
      { input: { n: 2 } },
      { paused: true },
      { timezone: "UTC" },
    ]) {
      await expect(create({ ...given, ...other }), JSON.stringify(other)).rejects.toMatchObject({
        code: "conflict",
        message: expect.stringContaining(made.id),
        errors: [{ pointer: "/key" }],
      });
    }
    const elsewhere = { ...given, workflow_id: await deployWorkflow() };
    await expect(service.stepwell.schedules.create(service.app, elsewhere)).rejects.toMatchObject({ code: "conflict" });
    expect((await service.stepwell.schedules.list(service.app)).items).toEqual([made]);
    // A repeat is the same request, even if the schedule was changed afterwards.
    const changed = await service.stepwell.schedules.update(service.app, made.id, { every: 90, name: "Changed" });
    expect(await create(given)).toEqual(changed);
    await service.stepwell.schedules.remove(service.app, made.id);
    expect(await create({ ...given, every: 90 })).toMatchObject({ every: 90 });
  });

  it.each(["9999-12-31T23:59:59-12:00", "2030-01-31T12:00:00+05"])("rejects the invalid time %s", async (at) => {
    await expect(create({ at })).rejects.toMatchObject({ code: "invalid", errors: [{ pointer: "/at" }] });
    await create({ every: 60 });
    await clock.advance("1m");
    expect(await runs()).toEqual(["00:01:30"]);
  });

  it("is rejected for input that its runs would reject", async () => {
    const errors = (given: Omit<ScheduleCreate, "workflow_id">) =>
      create({ every: 60, ...given }).then(
        () => [],
        (error) => error.errors.map(({ pointer }: { pointer: string }) => pointer),
      );
    expect(await errors({ input: { n: "many", more: 1 } })).toEqual(["/input/n", "/input/more"]);
    expect(await errors({ input: {} })).toEqual(["/input/n"]);
    expect(await errors({ step_key: "other" })).toEqual(["/step_key"]);
    expect(await errors({ version: 7 })).toEqual(["/version"]);
    expect(await errors({ version: "draft", input: {} })).toEqual([]);
    expect(await errors({ paused: true, input: {} })).toEqual([]);

    const { id } = await create({ every: 60 });
    const update = service.stepwell.schedules.update(service.app, id, { input: {} });
    await expect(update).rejects.toMatchObject({ code: "invalid", errors: [{ pointer: "/input/n" }] });
    const draft = await service.stepwell.workflows.create(service.app, { name: "To come", steps: [] });
    await service.stepwell.schedules.create(service.app, { workflow_id: draft.id, input: { n: "any" }, every: 60 });
  });

  it("can be renamed when the workflow's input has changed, but not resumed", async () => {
    const { id } = await create({ every: 60 });
    await deployWithInput({ other: { type: "number" } });
    expect((await service.stepwell.schedules.update(service.app, id, { name: "Renamed" })).name).toBe("Renamed");
    await service.stepwell.schedules.update(service.app, id, { paused: true });
    const resumed = service.stepwell.schedules.update(service.app, id, { paused: false });
    await expect(resumed).rejects.toMatchObject({ errors: [{ pointer: "/input/other" }, { pointer: "/input/n" }] });
  });

  it("runs by a cron expression in its time zone", async () => {
    const { id, upcoming } = await create({ cron: "0 9 * * mon-fri", timezone: "America/New_York" });
    expect(upcoming.slice(0, 4)).toEqual([
      ...["2030-01-01T14:00:00.000Z", "2030-01-02T14:00:00.000Z"],
      ...["2030-01-03T14:00:00.000Z", "2030-01-04T14:00:00.000Z"],
    ]);
    await clock.advance("15h");
    expect(await runs()).toEqual(["14:00:00"]);
    expect((await get(id)).next_at).toBe("2030-01-02T14:00:00.000Z");
  });

  it("runs once at its time and then has no next one", async () => {
    const { id } = await create({ at: "2030-01-01T01:02:03+01:00" });
    await clock.advance("3m");
    expect(await runs()).toEqual(["00:02:03"]);
    expect(await get(id)).toMatchObject({ next_at: null, upcoming: [], at: "2030-01-01T00:02:03.000Z" });
    expect(await service.stepwell.schedules.update(service.app, id, { name: "Over" })).toMatchObject({ next_at: null });
    await expect(service.stepwell.schedules.update(service.app, id, { at: "2030-01-01T00:02:03Z" })).rejects.toThrow(
      "Must be in the future",
    );
  });

  it("runs nothing while paused, and does not catch up afterwards", async () => {
    const { id } = await create({ every: 60, missed: "all" });
    expect(await service.stepwell.schedules.update(service.app, id, { paused: true })).toMatchObject({ next_at: null });
    await clock.advance("10m");
    expect(await runs()).toEqual([]);
    const going = await service.stepwell.schedules.update(service.app, id, { paused: false });
    expect(going.next_at).toBe("2030-01-01T00:11:30.000Z");
    await clock.advance("1m");
    expect(await runs()).toEqual(["00:11:30"]);
  });

  it("can be changed in input and timing, and deleted", async () => {
    const { id } = await create({ every: 60 });
    const changed = await service.stepwell.schedules.update(service.app, id, {
      at: "2030-01-01T00:05:00Z",
      input: { n: 7 },
    });
    expect(changed).toMatchObject({ every: null, at: "2030-01-01T00:05:00.000Z", next_at: "2030-01-01T00:05:00.000Z" });
    await clock.advance("10m");
    expect(await runs()).toEqual(["00:05:00"]);
    const [run] = (await service.stepwell.runs.list(service.app)).items;
    expect((await service.stepwell.runs.get(service.app, run?.id ?? "")).input).toEqual({ n: 7 });
    await service.stepwell.schedules.remove(service.app, id);
    await expect(get(id)).rejects.toMatchObject({ code: "not_found" });
  });

  it("is listed by workflow and name, and hidden from other apps", async () => {
    const other = await deployWorkflow();
    const one = await create({ every: 60, name: "Täglich" });
    const two = await service.stepwell.schedules.create(service.app, {
      workflow_id: other,
      input: { n: 1 },
      every: 60,
    });
    const ids = async (options: object) =>
      (await service.stepwell.schedules.list(service.app, options)).items.map(({ id }) => id);
    expect(await ids({})).toEqual([two.id, one.id]);
    expect(await ids({ workflow_id })).toEqual([one.id]);
    expect(await ids({ search: "TAG" })).toEqual([one.id]);
    const otherApp = await service.stepwell.apps.create({ name: "Other" });
    await expect(service.stepwell.schedules.get(otherApp.id, one.id)).rejects.toMatchObject({ code: "not_found" });
    await expect(service.stepwell.schedules.update(otherApp.id, one.id, {})).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(service.stepwell.schedules.remove(otherApp.id, one.id)).rejects.toMatchObject({ code: "not_found" });
  });

  it.each([
    [{}, "", /^Set exactly one of cron, every and at\.$/],
    [{ cron: "* * * * *", every: 5 }, "", /^Set exactly one of cron, every and at\.$/],
    [{ cron: "61 * * * *" }, "/cron", /^Must have a minute from 0 to 59, not "61"\.$/],
    [{ cron: "0 9 32 * *" }, "/cron", /^Must have a day from 1 to 31, not "32"\.$/],
    [{ cron: "99 * * *" }, "/cron", /^Must have five fields \(minute, .* seconds first, not 4\.$/],
    [{ cron: "0 0 * * fri#9" }, "/cron", /^Must be a cron expression with five fields/],
    [{ cron: "0 0 9 * * * 2030" }, "/cron", /or six with seconds first, not 7\.$/],
    [{ cron: "0 0 30 2 *" }, "/cron", /at least one time in the future/],
    [{ cron: "* * * * *", timezone: "Mars/Base" }, "/timezone", /time zone/],
    [{ cron: "* * * * *", timezone: "" }, "/timezone", /^Must not be empty\.$/],
    [{ cron: "" }, "/cron", /^Must not be empty\.$/],
    [{ every: 60, timezone: "UTC" }, "/timezone", /omitted without cron/],
    [{ every: 0 }, "/every", /at least 1/],
    [{ at: "tomorrow" }, "/at", /ISO 8601/],
    [{ at: "2029-12-31T23:59:59Z" }, "/at", /^Must be in the future\. The current time is 2030-01-01T00:0/],
    [{ every: 60, missed: "never" }, "/missed", /skip, once or all/],
    [{ every: 60, workflow_id: "work_none" }, "/workflow_id", /no workflow/],
  ])("is rejected for %j", async (given, pointer, message) => {
    const refused = service.stepwell.schedules.create(service.app, {
      workflow_id,
      input: { n: 1 },
      ...(given as object),
    });
    await expect(refused).rejects.toMatchObject({
      code: "invalid",
      errors: [{ pointer, message: expect.stringMatching(message) }],
    });
  });

  it("shows why a run was not started, and continues", async () => {
    const { id } = await create({ every: 60 });
    await deployWithInput({ n: { type: "boolean" } });
    await clock.advance("61s");
    expect(await runs()).toEqual([]);
    expect((await get(id)).last).toMatchObject({ run_id: null, error: { code: "invalid", message: /input\/n/ } });
    await service.stepwell.schedules.update(service.app, id, { input: { n: true } });
    await clock.advance("60s");
    expect(await runs()).toEqual(["00:02:30"]);
    expect((await get(id)).last).toMatchObject({ error: null });
  });

  it("is deleted with its app", async () => {
    await create({ every: 60 });
    await service.stepwell.apps.remove(service.app);
    await clock.advance("10m");
    service = await service.crash();
    await clock.advance("10m");
    await expect(service.stepwell.runs.list(service.app)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("times missed while no process runs", () => {
  it.each([
    ["skip", []],
    ["once", ["00:10:45"]],
    ["all", ["00:10:45", "00:10:45", "00:10:45"]],
  ] as const)("are handled by the policy %s", async (missed, expected) => {
    const { id } = await create({ cron: "*/3 * * * *", missed });
    await service.close();
    const before = service;
    // No process runs at 00:03, 00:06 and 00:09.
    await clock.advance("615s");
    service = await before.crash();
    await clock.advance(100);
    expect(await runs()).toEqual(expected);
    expect((await get(id)).next_at).toBe("2030-01-01T00:12:00.000Z");
    await clock.advance("2m");
    expect(await runs()).toEqual([...expected, "00:12:00"]);
  });

  it("are run exactly once when processes are killed", async () => {
    await create({ every: 60, missed: "all" });
    for (let minute = 0; minute < 6; minute++) {
      const old = service;
      await clock.advance("30s");
      service = await old.crash();
      // The old process continues, without effect on the new one.
      await clock.advance("30s");
      await old.close();
    }
    await clock.advance("1m");
    expect(await runs()).toHaveLength(7);
  });
});

it("a schedule does not miss a time that passes while its timer is handled", async () => {
  let now = Date.parse("2030-01-01T00:00:00.000Z");
  const waiting = new Set<{ readonly due: number; readonly callback: () => void }>();
  const early = await createTestService({
    clock: {
      now: () => now++,
      after(milliseconds, callback) {
        const timer = { due: now + milliseconds, callback };
        waiting.add(timer);
        return () => waiting.delete(timer);
      },
    },
  });
  const { id: workflow_id } = await early.stepwell.workflows.create(early.app, {
    name: "Report",
    steps: [{ type: "input", key: "start", input: {} }],
  });
  await early.stepwell.workflows.deploy(early.app, workflow_id);
  await early.stepwell.schedules.create(early.app, { workflow_id, input: { n: 1 }, every: 60 });
  const runs = async () => (await early.stepwell.runs.list(early.app)).items.length;
  for (let turn = 0; turn < 200 && (await runs()) < 3; turn++) {
    const [next] = [...waiting].sort((one, other) => one.due - other.due);
    if (next === undefined) break;
    waiting.delete(next);
    now = Math.max(now, next.due - 2);
    next.callback();
    await turnEventLoop(20);
  }
  expect(await runs()).toBe(3);
  await early.close();
});

it("a schedule keeps a due time when its name changes, and drops it with a new timing", async () => {
  let now = Date.parse("2030-01-01T00:00:00.000Z");
  const timers = new Set<{ readonly due: number; readonly callback: () => void }>();
  const late = await createTestService({
    clock: {
      now: () => now,
      after(milliseconds, callback) {
        const timer = { due: now + milliseconds, callback };
        timers.add(timer);
        return () => timers.delete(timer);
      },
    },
  });
  const { id: workflow_id } = await late.stepwell.workflows.create(late.app, {
    name: "Report",
    steps: [{ type: "input", key: "start", input: {} }],
  });
  await late.stepwell.workflows.deploy(late.app, workflow_id);
  const create = (given: Omit<ScheduleCreate, "workflow_id">) =>
    late.stepwell.schedules.create(late.app, { workflow_id, input: {}, ...given });
  const once = await create({ at: "2030-01-01T00:01:00Z" });
  const often = await create({ every: 60, missed: "all" });
  // Both are due, and no timer has fired yet.
  now += 130_000;
  for (const { id } of [once, often]) {
    const renamed = await late.stepwell.schedules.update(late.app, id, { name: "Renamed", paused: false });
    expect(renamed.next_at).toBe("2030-01-01T00:01:00.000Z");
  }
  for (const timer of timers) {
    timers.delete(timer);
    if (timer.due <= now) timer.callback();
  }
  await expect.poll(async () => (await late.stepwell.runs.list(late.app)).items.length).toBe(3);
  expect(await late.stepwell.schedules.get(late.app, once.id)).toMatchObject({ next_at: null, last: { error: null } });
  // A new timing replaces the old one and its due times.
  now += 60_000;
  const retimed = await late.stepwell.schedules.update(late.app, often.id, { every: 600 });
  expect(retimed.next_at).toBe("2030-01-01T00:13:10.000Z");
  await late.close();
});

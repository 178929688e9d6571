/** `limits.runTimeoutMs`: a run fails when its time is over, whatever its state and in whichever process. */
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineService, type Options, type Step } from "../../src/index.ts";
import { createTestClock, type TestClock } from "../../src/testing/index.ts";
import { give, input, openService, statuses, step, to } from "../support/engine/service.ts";
import { timedService } from "../support/engine/timed-service.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const TIMEOUT = { code: "run_timeout", message: "The run took longer than 3600 seconds." };

async function service(clock: TestClock, data = new Map<string, string>(), more: Options = {}, app?: string) {
  const opened = await timedService(clock, data, { ...more, limits: { runTimeoutMs: HOUR, ...more.limits } }, app);
  const child = await opened.deploy([input("in"), asks("ask")]);
  /** A step that takes hours. */
  const long = (key: string): Step => ({ type: "workflow", key, workflow_id: child, input: {} });
  return { ...opened, child, long };
}

/** An action that takes hours and holds a slot. */
const slow = defineService({
  name: "slow",
  actions: {
    hang: {
      input: v.strictObject({}),
      output: v.null(),
      timeoutMs: DAY,
      maxAttempts: 1,
      run: (_, { signal }) =>
        new Promise<null>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true })),
    },
  },
});

const asks = (key: string): Step => input(key, { input: { ok: { type: "boolean" } } });
const isWaiting = (run: { status: string }) => run.status === "waiting";
const isRunning = (run: { status: string }) => run.status === "running";

describe("a run that exceeds limits.runTimeoutMs", () => {
  it("fails with run_timeout, and its child runs are canceled", async () => {
    const clock = createTestClock();
    const { start, wait, get, child, long, stepwell, app } = await service(clock);
    // Later than its parent, whose time is over first.
    const pause: Step = {
      ...{ type: "service", key: "pause", ...to("child") },
      service: { service: "scheduler", action: "delay", input: { seconds: 60 } },
    };
    const { id } = await start([input("in", to("a", "pause")), give("a"), pause, long("child")]);
    await clock.advance(HOUR - 1_000);
    expect((await get(id)).status).toBe("waiting");
    await clock.advance("1s");
    const run = await wait(id);
    expect(run).toMatchObject({ status: "failed", error: TIMEOUT, output: null });
    expect(statuses(run)).toEqual({ in: "succeeded", a: "succeeded", pause: "succeeded", child: "canceled" });
    await clock.advance("1s");
    const { items } = await stepwell.runs.listOfWorkflow(app, child);
    expect(items.map(({ status, parent_run_id }) => [status, parent_run_id])).toEqual([["canceled", id]]);
  });

  it("fails while it waits for input, from its start or later", async () => {
    const clock = createTestClock();
    const { start, wait, until, stepwell, app } = await service(clock);
    const first = await start([input("in"), asks("ask"), give("b")]);
    expect(first.status).toBe("waiting");
    await clock.advance("10m");
    const second = await start([input("in"), give("a"), asks("ask")]);
    await until(second.id, isWaiting);
    await clock.advance("50m");
    expect(await wait(first.id)).toMatchObject({ status: "failed", error: TIMEOUT });
    expect((await stepwell.runs.get(app, second.id)).status).toBe("waiting");
    await clock.advance("10m");
    const run = await wait(second.id);
    expect(run).toMatchObject({ status: "failed", error: TIMEOUT });
    expect(statuses(run)).toEqual({ in: "succeeded", a: "succeeded", ask: "canceled" });
  });

  it("fails even if input was provided in between", async () => {
    const clock = createTestClock();
    const { start, wait, stepwell, app } = await service(clock);
    const { id } = await start([input("in"), asks("ask"), asks("again")]);
    await clock.advance("30m");
    expect((await stepwell.runs.provide(app, id, "ask", { ok: true })).status).toBe("waiting");
    await clock.advance("30m");
    expect(await wait(id)).toMatchObject({ status: "failed", error: TIMEOUT });
  });

  it("fails in a later process, even if its time was over while no process was running", async () => {
    const clock = createTestClock();
    const data = new Map<string, string>();
    const before = await service(clock, data);
    const { app } = before;
    const soon = (await before.start([input("in"), asks("ask")])).id;
    const busy = (await before.start([input("in"), before.long("a")])).id;
    await before.until(busy, isRunning);
    await before.close();

    await clock.advance("30m");
    const between = await service(clock, data, {}, app);
    expect((await between.get(soon)).status).toBe("waiting");
    expect((await between.get(busy)).status).toBe("running");
    await between.close();

    await clock.advance(DAY);
    const after = await service(clock, data, {}, app);
    await clock.advance("1s");
    for (const id of [soon, busy]) expect(await after.wait(id)).toMatchObject({ status: "failed", error: TIMEOUT });
  });

  it("has its whole time again after a retry", async () => {
    const clock = createTestClock();
    const { start, wait, stepwell, app } = await service(clock);
    const { id } = await start([input("in"), asks("ask"), give("b")]);
    await clock.advance("2h");
    expect(await wait(id)).toMatchObject({ status: "failed", error: TIMEOUT });
    await stepwell.runs.retry(app, id);
    await clock.advance("59m");
    expect((await stepwell.runs.get(app, id)).status).toBe("waiting");
    await stepwell.runs.provide(app, id, "ask", { ok: true });
    expect(await wait(id)).toMatchObject({ status: "succeeded" });
  });
});

describe("limits.runTimeoutMs", () => {
  it("does not count time in the queue", async () => {
    const clock = createTestClock();
    const { start, wait, get } = await service(clock, new Map(), { limits: { concurrentRuns: 1 }, services: [slow] });
    const hang: Step = { type: "service", key: "a", service: { service: "slow", action: "hang", input: {} } };
    const first = await start([input("in"), hang]);
    await clock.advance("50m");
    const second = await start([input("in"), hang]);
    expect(second.status).toBe("queued");
    await clock.advance("10m");
    expect(await wait(first.id)).toMatchObject({ status: "failed" });
    await clock.advance("55m");
    expect((await get(second.id)).status).toBe("running");
    await clock.advance("5m");
    expect(await wait(second.id)).toMatchObject({ status: "failed", error: TIMEOUT });
  });

  it("does not count time in which the run waits for files before it starts", async () => {
    const clock = createTestClock();
    const { deploy, get, wait, stepwell, app } = await service(clock);
    const workflow = await deploy([input("in", { input: { file: { type: "file" } } }), asks("ask")]);
    const upload = await stepwell.files.createUpload(app, { expires_in: 7_200 });
    const { id } = await stepwell.runs.create(app, workflow, {
      input: { file: [upload.future_file_id] },
      wait_for_files: true,
    });
    await clock.advance("90m");
    expect((await get(id)).status).toBe("waiting");
    await stepwell.files.receive(upload.upload_url, { body: new TextEncoder().encode("x") });
    await clock.advance("59m");
    expect(step(await get(id), "ask").status).toBe("waiting");
    await clock.advance("1m");
    expect(await wait(id)).toMatchObject({ status: "failed", error: TIMEOUT });
  });
});

describe("a run that does not exceed limits.runTimeoutMs", () => {
  it("succeeds and stays unchanged later", async () => {
    const clock = createTestClock();
    const { start, wait, stepwell, app, get } = await service(clock);
    const quick = await start([input("in"), give("a")]);
    const asking = await start([input("in"), asks("ask")]);
    await clock.advance("1s");
    await stepwell.runs.provide(app, asking.id, "ask", { ok: true });
    const ended = [await wait(quick.id), await wait(asking.id)];
    expect(ended.map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
    await clock.advance("3h");
    expect([await get(quick.id), await get(asking.id)]).toEqual(ended);
  });

  it("is any run if the limit is not set", async () => {
    const clock = createTestClock();
    const { start, get, stepwell } = await openService({ clock });
    const { id } = await start([input("in"), asks("ask")]);
    await clock.advance(3 * DAY);
    expect((await get(id)).status).toBe("waiting");
    await stepwell.close();
  });
});

/** Retries that a step declares: which errors, how often, when, under which idempotency key, and across restarts. */

import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineService, type JsonObject, RetryableError, type Sandbox, type Step } from "../../src/index.ts";
import { createTestClock, type TestClock } from "../../src/testing/index.ts";
import { give, input, step } from "../support/engine/service.ts";
import { timedService } from "../support/engine/timed-service.ts";

const SECOND = 1_000;
const HOUR = 3_600_000;

/** A service whose only action fails as often as it is told, and records its calls. */
function flaky(clock: TestClock, failures: number, fail: () => Error = () => new RetryableError("busy")) {
  const calls: { readonly at: number; readonly key: string }[] = [];
  const service = defineService({
    name: "flaky",
    actions: {
      call: {
        input: v.object({}),
        output: v.object({ calls: v.number() }),
        maxAttempts: 1,
        run(_, { idempotencyKey }) {
          calls.push({ at: clock.now(), key: idempotencyKey });
          if (calls.length <= failures) throw fail();
          return { calls: calls.length };
        },
      },
    },
  });
  return { calls, services: [service] };
}

const call = (more: object = {}): Step =>
  ({ type: "service", key: "call", service: { service: "flaky", action: "call", input: {} }, ...more }) as Step; // of one type

/** Differences between the moments of calls, in seconds. */
const gaps = (calls: readonly { readonly at: number }[]) =>
  calls.slice(1).map(({ at }, index) => (at - (calls[index]?.at ?? 0)) / SECOND);

describe("a retry", () => {
  it("follows its intervals, and adds at most a tenth", async () => {
    const clock = createTestClock();
    const { calls, services } = flaky(clock, 4);
    const { start, wait } = await timedService(clock, new Map(), { services });
    const retry = { max_attempts: 5, initial_interval: 10, backoff: 3, max_interval: 60 };
    const { id } = await start([call({ retry })]);
    const ended = wait(id);
    for (let minute = 0; minute < 10; minute++) await clock.advance("1m");
    expect((await ended).output).toEqual({ calls: 5 });
    for (const [index, least] of [10, 30, 60, 60].entries()) {
      expect(gaps(calls)[index]).toBeGreaterThanOrEqual(least);
      expect(gaps(calls)[index]).toBeLessThanOrEqual(least * 1.1 + 0.001);
    }
  });

  it("stops after max_attempts, and 1 means none", async () => {
    for (const max_attempts of [1, 3]) {
      const clock = createTestClock();
      const { calls, services } = flaky(clock, 99);
      const { start, wait } = await timedService(clock, new Map(), { services });
      const ended = wait((await start([call({ retry: { max_attempts } })])).id);
      for (let minute = 0; minute < 5; minute++) await clock.advance("1m");
      const run = await ended;
      expect(run.error).toMatchObject({ code: "step_failed", step: "call" });
      expect([step(run, "call").attempts, calls.length]).toEqual([max_attempts, max_attempts]);
    }
  });

  it.each([
    ["transient", "transient", "transient", 2],
    ["transient", "definite", "transient", 1],
    ["any", "definite", "any", 2],
    ["a listed code", "definite", ["http_status", "step_failed"], 2],
    ["another code", "definite", ["http_status"], 1],
  ])("on %s after a %s error", async (_, kind, on, attempts) => {
    const clock = createTestClock();
    const fail = () => (kind === "transient" ? new RetryableError("busy") : new Error("no"));
    const { calls, services } = flaky(clock, 1, fail);
    const { start, wait } = await timedService(clock, new Map(), { services });
    const ended = wait((await start([call({ retry: { max_attempts: 2, initial_interval: 5, on } })])).id);
    await clock.advance("1m");
    await ended;
    expect(calls).toHaveLength(attempts);
  });

  it("is for any error in code, without being asked", async () => {
    const clock = createTestClock();
    const { start, wait } = await timedService(clock);
    const code: Step = { type: "code", key: "c", code: "fail x", retry: { max_attempts: 3, initial_interval: 2 } };
    const ended = wait((await start([code])).id);
    for (let minute = 0; minute < 3; minute++) await clock.advance("1m");
    expect(step(await ended, "c").attempts).toBe(3);
  });

  it("respects a longer Retry-After", async () => {
    const clock = createTestClock();
    const { calls, services } = flaky(clock, 1, () => new RetryableError("busy", { retryAfterMs: HOUR }));
    const { start, wait } = await timedService(clock, new Map(), { services });
    const ended = wait((await start([call({ retry: { max_attempts: 2, initial_interval: 5 } })])).id);
    await clock.advance("59m");
    expect(calls).toHaveLength(1);
    await clock.advance("2m");
    expect((await ended).status).toBe("succeeded");
  });

  it("keeps the idempotency key after a transient error, and changes it after another one", async () => {
    for (const [fail, changes] of [
      [() => new RetryableError("busy"), false],
      [() => new Error("no"), true],
    ] as const) {
      const clock = createTestClock();
      const { calls, services } = flaky(clock, 2, fail);
      const { start, wait } = await timedService(clock, new Map(), { services });
      const ended = wait((await start([call({ retry: { max_attempts: 3, initial_interval: 5, on: "any" } })])).id);
      for (let minute = 0; minute < 3; minute++) await clock.advance("1m");
      const { id } = await ended;
      const keys = calls.map(({ key }) => key.replace(id, "ID"));
      expect(keys).toEqual(changes ? ["ID/call/1", "ID/call/1~2", "ID/call/1~3"] : Array(3).fill("ID/call/1"));
    }
  });

  it("waits without memory, and continues after a restart with the attempts and keys counted on", async () => {
    const clock = createTestClock();
    const data = new Map<string, string>();
    const { calls, services } = flaky(clock, 2, () => new Error("no"));
    const first = await timedService(clock, data, { services });
    const retry = { max_attempts: 3, initial_interval: 3_600, backoff: 1, max_interval: 3_600, on: "any" };
    const { id } = await first.start([give("a"), call({ retry })]);
    const waiting = await first.until(id, ({ status }) => status === "waiting");
    expect(step(waiting, "call")).toMatchObject({ status: "waiting", attempts: 1, error: { message: "no" } });
    expect(step(waiting, "call").waits_until).toBeDefined();
    await first.close();
    await clock.advance("30m");
    const second = await timedService(clock, data, { services }, first.app);
    expect(calls).toHaveLength(1);
    await clock.advance("40m");
    await second.until(id, (run) => step(run, "call").attempts === 2 && run.status === "waiting");
    await second.close();
    const third = await timedService(clock, data, { services }, first.app);
    const ended = third.wait(id);
    await clock.advance("70m");
    expect(step(await ended, "call")).toMatchObject({ status: "succeeded", attempts: 3, error: null });
    expect(calls.map(({ key }) => key.slice(id.length))).toEqual(["/call/1", "/call/1~2", "/call/1~3"]);
  });

  it("can be canceled while it waits, and the run retried from there", async () => {
    const clock = createTestClock();
    const { calls, services } = flaky(clock, 1);
    const { start, until, wait, stepwell, app } = await timedService(clock, new Map(), { services });
    const { id } = await start([call({ retry: { max_attempts: 2, initial_interval: 3_600 } })]);
    await until(id, ({ status }) => status === "waiting");
    expect((await stepwell.runs.cancel(app, id)).status).toBe("canceled");
    await stepwell.runs.retry(app, id);
    expect((await wait(id)).output).toEqual({ calls: 2 });
    expect(calls).toHaveLength(2);
  });

  it.each([0.01, 3_600])(
    "is interrupted with the key that it had, and counts on: an interval of %s s",
    async (initial_interval) => {
      const clock = createTestClock();
      const { calls, services } = flaky(clock, 1, () => new Error("no"));
      const { start, stepwell, app, until, wait } = await timedService(clock, new Map(), { services });
      const retry = { max_attempts: 2, initial_interval, max_interval: 3_600, on: "any" };
      const { id } = await start([call({ retry })]);
      await until(id, (run) => step(run, "call").attempts === 1);
      await stepwell.runs.cancel(app, id);
      await stepwell.runs.retry(app, id);
      expect((await wait(id)).output).toEqual({ calls: 2 });
      expect(calls.map(({ key }) => key.slice(id.length))).toEqual(["/call/1", "/call/1~2"]);
    },
  );

  it("of a workflow step starts another child for each attempt", async () => {
    const clock = createTestClock();
    const { calls, services } = flaky(clock, 1, () => new Error("no"));
    const { deploy, start, wait, stepwell, app } = await timedService(clock, new Map(), { services });
    const child = await deploy([call()]);
    const parent: Step = {
      ...{ type: "workflow", key: "child", input: null, workflow_id: child },
      retry: { max_attempts: 2, initial_interval: 5 },
    } as Step;
    const ended = wait((await start([parent])).id);
    await clock.advance("1m");
    expect((await ended).output).toEqual({ calls: 2 });
    const runs = (await stepwell.runs.listOfWorkflow(app, child)).items;
    expect(runs.map(({ status }) => status).sort()).toEqual(["failed", "succeeded"]);
    expect(calls).toHaveLength(2);
  });
});

describe("a timeout", () => {
  const hang: Step = { type: "code", key: "c", code: "hang", timeout: 5 };

  it("ends an attempt, and counts as a transient error", async () => {
    const clock = createTestClock();
    const { start, wait } = await timedService(clock);
    const ended = wait(
      (await start([{ ...hang, retry: { max_attempts: 2, initial_interval: 60, on: "transient" } }])).id,
    );
    for (let minute = 0; minute < 3; minute++) await clock.advance("1m");
    const run = await ended;
    expect(run.error).toMatchObject({ code: "timeout", message: "The step took longer than 5 seconds." });
    expect(step(run, "c").attempts).toBe(2);
  });

  it("of a code step does not count the wait for a thread", async () => {
    const clock = createTestClock();
    const begin: (() => void)[] = [];
    const sandbox: Sandbox = {
      reportsStart: true,
      run: ({ signal, onStart }) =>
        new Promise((_, reject) => {
          if (onStart !== undefined) begin.push(onStart);
          signal?.addEventListener("abort", () => reject(signal.reason));
        }),
      close: async () => undefined,
    };
    const { start, wait, get } = await timedService(clock, undefined, { sandbox });
    const { id } = await start([hang]);
    const ended = wait(id);
    await expect.poll(() => begin.length).toBe(1);
    await clock.advance("1h");
    expect((await get(id)).status).toBe("running");
    begin[0]?.();
    await clock.advance("4s");
    expect((await get(id)).status).toBe("running");
    await clock.advance("2s");
    expect((await ended).error).toMatchObject({ code: "timeout", message: "The step took longer than 5 seconds." });
  });

  it("of a workflow step cancels the child before the next attempt starts another", async () => {
    const clock = createTestClock();
    const { deploy, start, wait, stepwell, app } = await timedService(clock);
    const child = await deploy([{ ...hang, timeout: 500 }]);
    const parent = {
      ...{ type: "workflow", key: "child", input: null, workflow_id: child, timeout: 10 },
      retry: { max_attempts: 2, initial_interval: 5 },
    } as Step;
    const ended = wait((await start([parent])).id);
    for (let round = 0; round < 6; round++) await clock.advance("10s");
    expect((await ended).error?.code).toBe("timeout");
    await expect
      .poll(async () => (await stepwell.runs.listOfWorkflow(app, child)).items.map(({ status }) => status))
      .toEqual(["canceled", "canceled"]);
  });

  it("ends the wait for input, which then comes too late", async () => {
    const clock = createTestClock();
    const { start, until, wait, stepwell, app } = await timedService(clock);
    const { id } = await start([input("in"), { type: "input", key: "ask", input: {}, timeout: 7_200 }]);
    const waiting = await until(id, ({ status }) => status === "waiting");
    expect(step(waiting, "ask").waits_until).toBe(new Date(clock.now() + 2 * HOUR).toISOString());
    const ended = wait(id);
    await clock.advance("2h");
    expect((await ended).error).toEqual({
      ...{ code: "timeout", step: "ask" },
      message: "No input arrived within 7200 seconds.",
    });
    await expect(stepwell.runs.provide(app, id, "ask", {})).rejects.toMatchObject({ code: "conflict" });
  });

  it("of an input starts anew when the run is retried", async () => {
    const clock = createTestClock();
    const { start, until, wait, stepwell, app } = await timedService(clock);
    const { id } = await start([input("in"), { type: "input", key: "ask", input: {}, timeout: 3_600 }]);
    await until(id, ({ status }) => status === "waiting");
    const ended = wait(id);
    await clock.advance("3h");
    expect((await ended).error?.code).toBe("timeout");
    await stepwell.runs.retry(app, id);
    const again = await until(id, ({ status }) => status === "waiting");
    expect(step(again, "ask").waits_until).toBe(new Date(clock.now() + HOUR).toISOString());
    await stepwell.runs.provide(app, id, "ask", {});
    expect((await wait(id)).status).toBe("succeeded");
  });

  it("of input that arrives in time has no effect, and a delay may be cut short", async () => {
    const clock = createTestClock();
    const { start, until, wait, stepwell, app } = await timedService(clock);
    const delay = (timeout: number): Step => ({
      type: "service",
      key: "pause",
      service: { service: "scheduler", action: "delay", input: { seconds: 60 } },
      timeout,
      throw_on_error: false,
    });
    const { id } = await start(
      [input("in"), { type: "input", key: "ask", input: {}, timeout: 60 }, delay(30), delay(90)].map((one, index) => ({
        ...one,
        key: `s${index}`,
      })) as Step[],
    );
    await until(id, ({ status }) => status === "waiting");
    await stepwell.runs.provide(app, id, "s1", { ok: true } as JsonObject);
    const ended = wait(id);
    for (let minute = 0; minute < 5; minute++) await clock.advance("1m");
    const { steps } = await ended;
    expect(steps.map(({ status }) => status)).toEqual(["succeeded", "succeeded", "failed", "succeeded"]);
    expect(steps[2]?.error).toEqual({ code: "timeout", message: "The wait did not end within 30 seconds." });
  });
});

it("loop_delay lets the run wait without memory between iterations", async () => {
  const clock = createTestClock();
  const data = new Map<string, string>();
  const { calls, services } = flaky(clock, 0);
  const first = await timedService(clock, data, { services });
  const { id } = await first.start([call({ loop: "output.calls == 3", loop_delay: 600 })]);
  const waiting = await first.until(id, ({ status }) => status === "waiting");
  expect(step(waiting, "call")).toMatchObject({ status: "waiting", attempts: 1 });
  await clock.advance("10m");
  await first.until(id, ({ status }) => status === "waiting" && calls.length === 2);
  await first.close();
  const second = await timedService(clock, data, { services }, first.app);
  const ended = second.wait(id);
  await clock.advance("10m");
  expect((await ended).output).toEqual({ calls: 3 });
  expect(gaps(calls)).toEqual([600, 600]);
  expect(calls.map(({ key }) => key.slice(id.length))).toEqual(["/call/1", "/call/2", "/call/3"]);
});

/** Delays: a waiting run is evicted from memory, and its wake-up is never lost. */
import { describe, expect, it } from "vitest";
import { isStepwellError, type JsonObject, type JsonValue, type Step } from "../../src/index.ts";
import { createTestClock, scriptedModel, type TestClock } from "../../src/testing/index.ts";
import { give, input, statuses, step, to } from "../support/engine/service.ts";
import { timedService } from "../support/engine/timed-service.ts";
import { turnEventLoop } from "../support/event-loop.ts";
import { faultyDriver } from "../support/storage/faulty.ts";
import { heldStore } from "../support/storage/held-store.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A service whose storage can be made to fail. */
async function broken(clock: TestClock) {
  const failing = { now: false };
  const { driver } = faultyDriver(new Map(), "rejects", 0);
  const setItem: typeof driver.setItem = async (...given) => {
    if (failing.now) throw new Error("The disk is gone.");
    await driver.setItem?.(...given);
  };
  return { ...(await timedService(clock, new Map(), { storage: { entities: { ...driver, setItem } } })), failing };
}

const delay = (key: string, given: JsonObject, more: Partial<Step> = {}): Step =>
  ({ type: "service", key, service: { service: "scheduler", action: "delay", input: given }, ...more }) as Step; // of one type
const isWaiting = (run: { status: string }) => run.status === "waiting";

describe("a delay", () => {
  it("resumes the run the given seconds after the previous step", async () => {
    const clock = createTestClock();
    const { start, wait, until } = await timedService(clock);
    const from = clock.now();
    const { id } = await start([input("in"), give("a"), delay("pause", { seconds: 90 }), give("b")]);
    const waiting = await until(id, isWaiting);
    expect(statuses(waiting)).toEqual({ in: "succeeded", a: "succeeded", pause: "waiting", b: "pending" });
    expect(step(waiting, "pause").waits_until).toBe(new Date(from + 90_000).toISOString());
    await clock.advance(89_999);
    expect((await until(id, isWaiting)).status).toBe("waiting");
    await clock.advance(1);
    const run = await wait(id);
    expect(run).toMatchObject({ status: "succeeded", output: "b" });
    const moment = new Date(from + 90_000).toISOString();
    expect(step(run, "pause")).toMatchObject({ status: "succeeded", output: { until: moment }, finished_at: moment });
  });

  it("can be the first step and accepts an expression", async () => {
    const clock = createTestClock();
    const { start, wait, get } = await timedService(clock);
    const fields = { input: { rest: { type: "number" } } } as const;
    const { id, status } = await start([input("in", fields), delay("pause", { seconds: "{{ input.rest * 2 }}" })], {
      rest: 5,
    });
    expect(status).toBe("waiting");
    await clock.advance(9_999);
    expect((await get(id)).status).toBe("waiting");
    await clock.advance(1);
    expect((await wait(id)).status).toBe("succeeded");
  });

  it("lasts until a given time, and ends at once if that is past", async () => {
    const clock = createTestClock();
    const { start, wait } = await timedService(clock);
    const at = (milliseconds: number) => new Date(clock.now() + milliseconds).toISOString();
    const outputs: JsonValue[] = [];
    const cases: [JsonObject, number][] = [
      [{ until: at(-HOUR) }, 0],
      [{ seconds: 0 }, 0],
      [{ until: at(HOUR) }, HOUR],
    ];
    for (const [given, more] of cases) {
      const { id } = await start([input("in"), delay("pause", given)]);
      await clock.advance(more);
      outputs.push((await wait(id)).output);
    }
    expect(outputs).toEqual([{ until: at(-2 * HOUR) }, { until: at(-HOUR) }, { until: at(0) }]);
  });

  it("is rounded up to whole milliseconds", async () => {
    const clock = createTestClock();
    const { start, wait } = await timedService(clock);
    const from = clock.now();
    const { id } = await start([input("in"), delay("pause", { seconds: 0.0106 })]);
    await clock.advance(11);
    expect((await wait(id)).output).toEqual({ until: new Date(from + 11).toISOString() });
  });

  it("delays only its own branch", async () => {
    const clock = createTestClock();
    const { start, wait, until, stepwell, app } = await timedService(clock);
    const { id } = await start([
      input("in", to("short", "long", "ask")),
      delay("short", { seconds: 10 }, to("a")),
      delay("long", { seconds: 20 }, to("b")),
      input("ask", { input: { ok: { type: "boolean" } }, ...to("c") }),
      ...[give("a", to()), give("b", to()), give("c", to())],
    ]);
    await stepwell.runs.provide(app, id, "ask", { ok: true });
    await until(id, (run) => isWaiting(run) && step(run, "c").status === "succeeded");
    await clock.advance("10s");
    const run = await until(id, (run) => isWaiting(run) && step(run, "a").status === "succeeded");
    expect(statuses(run)).toMatchObject({ short: "succeeded", long: "waiting", b: "pending" });
    await clock.advance("10s");
    expect((await wait(id)).output).toEqual({ a: "a", b: "b", c: "c" });
  });

  it("ends while other steps execute", async () => {
    const clock = createTestClock();
    const { start, until, stepwell, app } = await timedService(clock);
    const hang: Step = { type: "code", key: "hang", code: "hang", destinations: [] };
    const { id } = await start([
      input("in", to("hang", "pause")),
      hang,
      delay("pause", { seconds: 10 }, to("a")),
      give("a", to()),
    ]);
    await clock.advance("10s");
    const run = await until(id, (run) => step(run, "a").status === "succeeded");
    expect(statuses(run)).toMatchObject({ hang: "running", pause: "succeeded" });
    await stepwell.runs.cancel(app, id);
  });

  it("delays each iteration of its loop", async () => {
    const clock = createTestClock();
    const { start, wait } = await timedService(clock);
    const from = clock.now();
    const { id } = await start([
      input("in"),
      delay("pause", { seconds: "{{ 10 * iteration }}" }, { loop: "iteration == 4" }),
      give("b"),
    ]);
    await clock.advance("99s");
    await clock.advance("1s");
    const run = await wait(id);
    expect(step(run, "pause")).toMatchObject({
      ...{ status: "succeeded", attempts: 4, output: { until: new Date(from + 100_000).toISOString() } },
      finished_at: new Date(from + 100_000).toISOString(),
    });
  });

  it("emits step.waiting and step.succeeded", async () => {
    const clock = createTestClock();
    const { start, stepwell, app } = await timedService(clock);
    const { id } = await start([input("in"), delay("pause", { seconds: 10 }), give("b")]);
    const seen: string[] = [];
    const following = (async () => {
      for await (const event of stepwell.runs.events(app, id))
        seen.push("step" in event ? `${event.type} ${event.step}` : event.type);
    })();
    await clock.advance("10s");
    await following;
    expect(seen).toEqual(expect.arrayContaining(["step.waiting pause", "step.succeeded pause", "run.succeeded"]));
  });
});

describe("a delay across restarts", () => {
  it("ends when it is due, or at the next start if it became due without a process", async () => {
    const clock = createTestClock();
    const data = new Map<string, string>();
    const before = await timedService(clock, data);
    const steps = [input("in"), give("a"), delay("pause", { seconds: 3_600 }), give("b")];
    const { id } = await before.start(steps);
    await before.until(id, isWaiting);
    await before.close();
    await clock.advance("30m");
    const between = await timedService(clock, data, {}, before.app);
    expect((await between.get(id)).status).toBe("waiting");
    await clock.advance("10m");
    const other = (await between.start(steps)).id;
    await between.until(other, isWaiting);
    await between.close();
    await clock.advance("30m");
    const after = await timedService(clock, data, {}, before.app);
    const run = await after.wait(id);
    expect(run.status).toBe("succeeded");
    expect(Date.parse(step(run, "pause").finished_at ?? "")).toBeGreaterThan(clock.now() - MINUTE);
    await clock.advance("30m");
    expect((await after.wait(other)).status).toBe("succeeded");
  });

  it("reads nothing after the storage was disposed of, even if it becomes due at that moment", async () => {
    const clock = createTestClock();
    const data = new Map<string, string>();
    const before = await timedService(clock, data);
    const steps = [input("in"), delay("pause", { seconds: 3_600 }), give("b")];
    for (let count = 0; count < 5; count++) await before.start(steps);
    await before.close();

    const late: string[] = [];
    let isDisposed = false;
    let isRead = () => {};
    const { driver } = faultyDriver(data, "rejects", 0);
    const disposable: typeof driver = {
      ...driver,
      getItem(key) {
        if (isDisposed) late.push(key);
        return driver.getItem(key);
      },
      dispose() {
        isDisposed = true;
      },
    };
    const entities = heldStore(disposable, async () => {
      isRead();
      await turnEventLoop(10);
    });
    const after = await timedService(clock, data, { storage: { entities } }, before.app);
    await clock.advance("30m");
    const read = new Promise<void>((resolve) => {
      isRead = resolve;
    });
    const falling = clock.advance("30m");
    await read;
    await turnEventLoop(12); // until it continues with the next run
    await Promise.all([after.stepwell.close(), falling]);
    await turnEventLoop();
    expect(late).toEqual([]);
  });

  it("is not restarted by a retry", async () => {
    const clock = createTestClock();
    const { start, wait, until, stepwell, app } = await timedService(clock, new Map(), {
      limits: { runTimeoutMs: HOUR },
    });
    const { id } = await start([input("in"), delay("pause", { seconds: 6_900 }), give("b")]);
    await clock.advance("1h");
    expect(await wait(id)).toMatchObject({ status: "failed", error: { code: "run_timeout" } });
    await stepwell.runs.retry(app, id);
    await until(id, isWaiting);
    await clock.advance("50m");
    expect((await stepwell.runs.get(app, id)).status).toBe("waiting");
    await clock.advance("5m");
    expect((await wait(id)).status).toBe("succeeded");
  });
});

describe("a retried run that waits", () => {
  it("has its whole run time from the retry on, even if it was queued later", async () => {
    const clock = createTestClock();
    const limits = { runTimeoutMs: HOUR, concurrentRuns: 1 };
    const { start, wait, until, stepwell, app, get } = await timedService(clock, new Map(), { limits });
    const pauses = [50, 30, 60].map((minutes, n) => delay(`pause_${n}`, { seconds: minutes * 60 }));
    const { id } = await start([input("in"), ...pauses]);
    await clock.advance("1h");
    expect((await wait(id)).error).toMatchObject({ code: "run_timeout" });
    await stepwell.runs.retry(app, id);
    await until(id, isWaiting);
    await clock.advance(20 * MINUTE - 1);
    const other = await start([{ type: "code", key: "hang", code: "hang" }]);
    await clock.advance(1);
    await until(id, ({ status }) => status === "queued");
    await stepwell.runs.cancel(app, other.id);
    await until(id, isWaiting);
    await clock.advance("40m");
    await expect.poll(async () => (await get(id)).error?.code).toBe("run_timeout");
  });
});

describe("a retried run that is queued", () => {
  it("can still be provided with input and succeed", async () => {
    const clock = createTestClock();
    const limits = { runTimeoutMs: HOUR, concurrentRuns: 1 };
    const { start, until, stepwell, app, get } = await timedService(clock, new Map(), { limits });
    const asks = (key: string) => input(key, { input: { ok: { type: "boolean" } }, ...to() });
    const { id } = await start([input("in", to("one", "two")), asks("one"), asks("two")]);
    await clock.advance("1h");
    await until(id, ({ status }) => status === "failed");
    const other = await start([{ type: "code", key: "hang", code: "hang" }]);
    await stepwell.runs.retry(app, id);
    expect((await get(id)).status).toBe("queued");
    await stepwell.runs.provide(app, id, "one", { ok: true });
    await stepwell.runs.provide(app, id, "two", { ok: true });
    expect((await get(id)).status).toBe("succeeded");
    await stepwell.runs.cancel(app, other.id);
  });
});

describe("a run that waits for a delay", () => {
  it("can be canceled, and is not resumed when the delay is due", async () => {
    const clock = createTestClock();
    const { start, get, stepwell, app } = await timedService(clock);
    const { id } = await start([input("in"), delay("pause", { seconds: 60 }), give("b")]);
    expect((await stepwell.runs.cancel(app, id)).status).toBe("canceled");
    await clock.advance("2m");
    expect(statuses(await get(id))).toEqual({ in: "succeeded", pause: "canceled", b: "canceled" });
  });

  it("returns not_found for input to the delay step", async () => {
    const clock = createTestClock();
    const { start, stepwell, app } = await timedService(clock);
    const { id } = await start([input("in"), delay("pause", { seconds: 60 })]);
    const given = stepwell.runs.provide(app, id, "pause", {}).catch((error: unknown) => error);
    expect(isStepwellError(await given, "not_found")).toBe(true);
  });

  it("is queued when the delay is due and all slots are taken", async () => {
    const clock = createTestClock();
    const { start, get, wait, until, stepwell, app } = await timedService(clock, new Map(), {
      limits: { concurrentRuns: 2 },
    });
    const hang: Step = { type: "code", key: "hang", code: "hang" };
    const paused: string[] = [];
    for (let n = 0; n < 5; n++) paused.push((await start([input("in"), delay("pause", { seconds: 60 }), hang])).id);
    await clock.advance("1m");
    const states = async () => (await Promise.all(paused.map(get))).map(({ status }) => status);
    const tally = async () => (await states()).toSorted().join(" ");
    await expect.poll(tally).toBe("queued queued queued running running");
    for (let left = 5; left > 0; left--) {
      const running = (await Promise.all(paused.map(get))).find(({ status }) => status === "running");
      await stepwell.runs.cancel(app, running?.id ?? "");
      await expect
        .poll(async () => (await states()).filter((status) => status === "running").length)
        .toBe(Math.min(2, left - 1));
    }
    for (const id of paused) expect((await wait(id)).status).toBe("canceled");
    const last = await start([input("in"), give("a")]);
    expect((await until(last.id, ({ status }) => status === "succeeded")).output).toBe("a");
  });

  it("resumes once the storage recovers", async () => {
    const clock = createTestClock();
    const { start, wait, failing } = await broken(clock);
    const { id } = await start([input("in"), delay("pause", { seconds: 60 }), give("b")]);
    failing.now = true;
    await clock.advance("1m");
    failing.now = false;
    await clock.advance("1m");
    expect((await wait(id)).status).toBe("succeeded");
  });
});

describe("an invalid delay", () => {
  async function problems(steps: Step[]) {
    const { deploy } = await timedService(createTestClock());
    const error = await deploy(steps).catch((reason: unknown) => reason);
    return isStepwellError(error, "invalid") ? error.errors : error;
  }

  it.each<[string, JsonObject, string]>([
    ["neither seconds nor until", {}, "Set exactly one of seconds and until."],
    ["both seconds and until", { seconds: 1, until: "2030-01-01T00:00:00Z" }, "Set exactly one of seconds and until."],
    ["negative seconds", { seconds: -1 }, "Must be at least 0."],
    ["more than a year", { seconds: 40_000_000 }, "Must be at most 31622400 (366 days)."],
    [
      "a date that doesn't exist",
      { until: "2027-02-30T12:00:00Z" },
      "Must be an ISO 8601 date and time such as 2026-01-31T12:00:00Z.",
    ],
    [
      "a word instead of a date",
      { until: "tomorrow" },
      "Must be an ISO 8601 date and time such as 2026-01-31T12:00:00Z.",
    ],
    [
      "an incomplete UTC offset",
      { until: "2030-01-01T00:00:00+05" },
      "Must be an ISO 8601 date and time such as 2026-01-31T12:00:00Z.",
    ],
    [
      "a time beyond the year 9999 in UTC",
      { until: "9999-12-31T23:59:59-12:00" },
      "Must be an ISO 8601 date and time such as 2026-01-31T12:00:00Z.",
    ],
  ])("is rejected at deployment: %s", async (_, given, message) => {
    expect(await problems([input("in"), delay("pause", given)])).toEqual([
      { pointer: expect.stringMatching(/^\/steps\/1\/service\/input/), message },
    ]);
  });

  it("fails the step when an expression gives it", async () => {
    const { run } = await timedService(createTestClock());
    const ended = await run([input("in"), delay("pause", { seconds: '{{ "soon" }}' })]);
    expect(ended.error).toMatchObject({ code: "invalid_input", step: "pause" });
    expect(ended.error?.message).toMatch(/^The input does not match the schema of scheduler.delay: \/seconds: /);
  });

  it("is rejected at deployment as a model tool", async () => {
    const { deploy } = await timedService(createTestClock(), new Map(), { models: { any: scriptedModel([]) } });
    const provider = { provider: "any", model: "m", messages: "x", tools: ["scheduler.delay"] };
    const rejection = await deploy([input("in"), { type: "model", key: "m", provider }]).catch(
      (error: unknown) => error,
    );
    expect(isStepwellError(rejection, "invalid") && rejection.errors).toEqual([
      {
        pointer: "/steps/1/provider/tools/0",
        message: expect.stringMatching(/^scheduler.delay is not available as a model tool/),
      },
    ]);
  });
});

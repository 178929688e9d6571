/** Settings that decide when runs begin: concurrency, debounce, rate limit and priority; and `run_at`. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NO_STARTS, nextStart, plannedStart } from "../../src/engine/admission/rate-limit.ts";
import type { JsonObject, Options, Run, Step } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import type { Settings } from "../../src/workflows/settings.ts";
import { memory } from "../support/engine/memory.ts";
import { fail, give, input, openService, scripted, to } from "../support/engine/service.ts";
import { timedService } from "../support/engine/timed-service.ts";
import { createGate } from "../support/gate.ts";
import { expectIntact } from "../support/storage/expect-intact.ts";
import { faultyDriver } from "../support/storage/faulty.ts";
import { until } from "../support/until.ts";

/** Waits for input, so that the run stays open until a test provides it. */
const ask: Step = { type: "input", key: "ask", input: {} };
const waits: Step[] = [input("in"), ask, give("done")];
const ignore = () => {};
/** Returns its input. */
const sees: Step[] = [input("in")];
/** Needs a slot. */
const works: Step[] = [input("in", to("done")), give("done")];

async function open(settings: Settings, steps: Step[] = waits, more: Options = {}) {
  const clock = createTestClock();
  const data = new Map<string, string>();
  const service = await timedService(clock, data, more);
  const workflow = await service.deploy(steps, { settings });
  const { stepwell, app } = service;
  const all = (on: typeof service) => ({
    create: (given: JsonObject = {}, rest: JsonObject = {}): Promise<Run> =>
      on.stepwell.runs.create(app, workflow, { input: given, ...rest }),
    status: async (run: Pick<Run, "id">) => (await on.get(run.id)).status,
    end: async (run: Pick<Run, "id">) => {
      await on.stepwell.runs.provide(app, run.id, "ask", {});
      return on.wait(run.id);
    },
    becomes: (run: Pick<Run, "id">, status: Run["status"]) => on.until(run.id, (now) => now.status === status),
    runs: async () => (await on.stepwell.runs.list(app, { workflow_id: workflow, order: "asc" })).items,
  });
  async function reopen(before: typeof service) {
    await before.close();
    const next = await timedService(clock, data, more, app);
    return { ...next, ...all(next), restart: () => reopen(next) };
  }
  return {
    ...{ ...service, clock, data, workflow },
    ...all(service),
    /** Closes the service and opens another one on the same data. */
    restart: () => reopen(service),
    stepwell,
  };
}

describe("settings.concurrency", () => {
  it("queues runs with the same key until another one ends, waits included", async () => {
    const { create, status, end, becomes } = await open({ concurrency: { key: "input.customer", limit: 2 } });
    const [one, two, three, four] = [
      await create({ customer: "a" }),
      await create({ customer: "a" }),
      await create({ customer: "a" }),
      await create({ customer: "a" }),
    ];
    const other = await create({ customer: "b" });
    expect([one, two, three, four, other].map((run) => run.status)).toEqual([
      ...["waiting", "waiting", "queued", "queued", "waiting"],
    ]);
    expect(three.started_at).toBeNull();
    expect(three.steps.map((step) => step.status)).toEqual(["pending", "pending", "pending"]);
    await end(two);
    await becomes(three, "waiting");
    expect(await status(four)).toBe("queued");
    await end(one);
    await end(three);
    expect((await end(four)).status).toBe("succeeded");
  });

  it("shows when a run began, which may be after its creation", async () => {
    const storage = memory(new Map());
    const { create, clock } = await open({ concurrency: { limit: 2 } }, waits, {
      storage: { entities: storage.driver },
    });
    storage.hold();
    const both = Promise.all([create(), create()]);
    await storage.held();
    await clock.advance("5s");
    storage.release();
    const [one, two] = await both;
    expect(one.started_at).toBe(one.created_at);
    expect(Date.parse(two.started_at ?? "") - Date.parse(two.created_at)).toBe(5_000);
  });

  it("keeps the order and the limit across a restart", async () => {
    const { create, restart } = await open({ concurrency: { limit: 1 } });
    const runs = [await create(), await create(), await create()];
    const after = await restart();
    expect(await Promise.all(runs.map(after.status))).toEqual(["waiting", "queued", "queued"]);
    for (const run of runs) {
      await after.becomes(run, "waiting");
      expect((await after.end(run)).status).toBe("succeeded");
    }
  });

  it("never exceeds the limit for 64 callers at once", async () => {
    const { create, runs, end, becomes } = await open({ concurrency: { limit: 3 } });
    const created = await Promise.all(Array.from({ length: 64 }, () => create()));
    const count = async () => (await runs()).filter((run) => run.status === "waiting").length;
    expect(await count()).toBe(3);
    for (const run of created) {
      await becomes(run, "waiting");
      expect(await count()).toBeLessThanOrEqual(3);
      await end(run);
    }
    expect((await runs()).map((run) => run.status)).toEqual(Array.from({ length: 64 }, () => "succeeded"));
  });

  it("rejects with 429 and keeps nothing", async () => {
    const { create, end, runs } = await open({ concurrency: { limit: 1, strategy: "reject" } });
    const first = await create();
    await expect(create()).rejects.toMatchObject({ code: "too_many_requests" });
    expect(await runs()).toHaveLength(1);
    await end(first);
    expect((await create()).status).toBe("waiting");
  });

  it("answers with the open run if the strategy is to skip, and repeats that for the same idempotency key", async () => {
    const { create, end, runs, stepwell, app, workflow } = await open({ concurrency: { limit: 1, strategy: "skip" } });
    const first = await create({ n: 1 });
    expect(first.existing).toBeUndefined();
    expect(await create({ n: 2 })).toMatchObject({ id: first.id, existing: true, input: { n: 1 } });
    const { key } = await stepwell.keys.create(app, { name: "test" });
    const post = () =>
      stepwell.fetch(
        new Request(`http://localhost/apps/${app}/workflows/${workflow}/runs`, {
          method: "POST",
          body: "{}",
          headers: {
            "content-type": "application/json",
            authorization: `Bearer ${key}`,
            "idempotency-key": "same-key-for-both",
          },
        }),
      );
    const before = await post();
    expect([before.status, ((await before.json()) as Run).id]).toEqual([200, first.id]);
    await end(first);
    const after = await post();
    expect([after.status, ((await after.json()) as Run).id]).toEqual([200, first.id]);
    expect(await runs()).toHaveLength(1);
    expect((await create()).existing).toBeUndefined();
  });

  it("cancels the oldest runs, and the newest one begins after that", async () => {
    const { create, becomes, status, end } = await open({ concurrency: { limit: 1, strategy: "cancel_oldest" } });
    const runs = [await create(), await create(), await create()];
    await becomes(runs[2] ?? { id: "" }, "waiting");
    expect(await Promise.all(runs.map(status))).toEqual(["canceled", "canceled", "waiting"]);
    await end(runs[2] ?? { id: "" });
  });

  it("logs nothing when runs are canceled in the moment in which they begin", async () => {
    const logged: string[] = [];
    const log = (message: string) => void logged.push(message);
    const logger = { debug: ignore, info: ignore, warn: log, error: log };
    const service = await openService({ logger });
    const settings: Settings = { concurrency: { limit: 1, strategy: "cancel_oldest" } };
    const workflow = await service.deploy(waits, { settings });
    const create = async (_: unknown, index: number) => {
      for (let turn = 0; turn < index / 3; turn++) await new Promise(setImmediate);
      return service.stepwell.runs.create(service.app, workflow);
    };
    const created = await Promise.all(Array.from({ length: 100 }, create));
    const statuses = async () =>
      (await Promise.all(created.map(({ id }) => service.get(id)))).map(({ status }) => status);
    const expected = [...created.slice(1).map(() => "canceled"), "waiting"];
    await expect.poll(async () => (await statuses()).sort()).toEqual(expected);
    await service.stepwell.close();
    expect(logged).toEqual([]);
  });

  it("cancels the oldest run for a child run, too", async () => {
    const { create, becomes, deploy, stepwell, app, workflow, runs } = await open({
      concurrency: { limit: 1, strategy: "cancel_oldest" },
    });
    const oldest = await create();
    const parent = await deploy([input("in"), { type: "workflow", key: "child", workflow_id: workflow, input: {} }]);
    const { id } = await stepwell.runs.create(app, parent);
    await becomes(oldest, "canceled");
    const [child] = (await stepwell.runs.list(app, { parent_run_id: id })).items;
    await becomes({ id: child?.id ?? "" }, "waiting");
    expect((await runs()).map((run) => run.status)).toEqual(["canceled", "waiting"]);
  });

  it("cancels no run for a retry, which is queued and stays so after a restart", async () => {
    const steps = [
      input("in"),
      { ...ask, conditional: "!has(input.fails)" },
      fail("bad", { conditional: "has(input.fails)" }),
    ];
    const limit: Settings = { concurrency: { limit: 1, strategy: "cancel_oldest" } };
    const { create, wait, stepwell, app, restart } = await open(limit, steps);
    const failed = await create({ fails: true });
    expect((await wait(failed.id)).status).toBe("failed");
    const holder = await create();
    expect((await stepwell.runs.retry(app, failed.id)).status).toBe("queued");
    const after = await restart();
    const next = await after.create();
    await after.becomes(holder, "canceled");
    await after.becomes(next, "waiting");
    expect(await after.status(failed)).toBe("queued");
    const last = await after.restart();
    expect(await last.status(next)).toBe("waiting");
    expect((await last.end(next)).status).toBe("succeeded");
    expect((await last.wait(failed.id)).status).toBe("failed");
  });

  it("cancels the run that has been open the longest for one that waited until its time", async () => {
    const limit: Settings = { concurrency: { limit: 1, strategy: "cancel_oldest" } };
    const { create, clock, becomes, status } = await open(limit);
    const later = await create({}, { run_at: new Date(clock.now() + 60_000).toISOString() });
    await clock.advance("1s");
    const oldest = await create();
    expect(oldest.status).toBe("waiting");
    await clock.advance("59s");
    await becomes(oldest, "canceled");
    await expect.poll(async () => [await status(later), await status(oldest)]).toEqual(["waiting", "canceled"]);
  });

  it("does not count a child run of the same key, and lets other child runs wait", async () => {
    const limit: Settings = { concurrency: { key: "input.k", limit: 1, strategy: "reject" } };
    const { deploy, stepwell, app, wait, workflow, create, end, until } = await open(limit);
    const parent = await deploy([
      input("in"),
      { type: "workflow", key: "child", workflow_id: workflow, input: { k: 1 } },
    ]);
    const holder = await create({ k: 1 });
    const { id } = await stepwell.runs.create(app, parent);
    const children = async () => (await stepwell.runs.list(app, { parent_run_id: id })).items;
    await expect.poll(async () => (await children())[0]?.status).toBe("queued");
    await end(holder);
    const [child] = await children();
    await until(child?.id ?? "", (run) => run.status === "waiting");
    await stepwell.runs.provide(app, child?.id ?? "", "ask", {});
    expect((await wait(id)).status).toBe("succeeded");
    // A workflow that runs itself under its own key.
    const own = await stepwell.workflows.create(app, { name: "Own", steps: [] });
    const again: Step = {
      ...{ type: "workflow", key: "again", workflow_id: own.id, conditional: "input.n > 0" },
      input: { n: "{{ input.n - 1 }}" },
    };
    await stepwell.workflows.putDraft(app, own.id, {
      steps: [input("in"), again],
      settings: { concurrency: { limit: 1 } },
    });
    await stepwell.workflows.deploy(app, own.id);
    const nested = await stepwell.runs.create(app, own.id, { input: { n: 2 } });
    expect((await wait(nested.id)).status).toBe("succeeded");
  });

  it("lets a retried run wait for its turn", async () => {
    const steps = [
      input("in"),
      { ...ask, conditional: "!has(input.fails)" },
      fail("bad", { conditional: "has(input.fails)" }),
    ];
    const { create, wait, end, status, becomes, stepwell, app } = await open({ concurrency: { limit: 1 } }, steps);
    const failed = await create({ fails: true });
    expect((await wait(failed.id)).status).toBe("failed");
    const holder = await create();
    expect(holder.status).toBe("waiting");
    expect((await stepwell.runs.retry(app, failed.id)).status).toBe("queued");
    await end(holder);
    expect((await wait(failed.id)).status).toBe("failed");
    const second = await create();
    await becomes(second, "waiting");
    await stepwell.runs.cancel(app, second.id);
    expect(await status(second)).toBe("canceled");
    expect((await create()).status).toBe("waiting");
  });

  it("counts only queued runs as queued after the limit was lowered", async () => {
    const lowered = await open({ concurrency: { limit: 3 } }, waits, { limits: { queuedRuns: 1 } });
    const { create, end, becomes, stepwell, app, workflow } = lowered;
    const running = [await create(), await create(), await create()];
    await stepwell.workflows.putDraft(app, workflow, { steps: waits, settings: { concurrency: { limit: 1 } } });
    await stepwell.workflows.deploy(app, workflow);
    const queued = await create();
    expect(queued.status).toBe("queued");
    await expect(create()).rejects.toMatchObject({
      code: "too_many_requests",
      message: expect.stringContaining("1 run is queued for this key already"),
    });
    for (const run of running) await end(run);
    await becomes(queued, "waiting");
  });

  it("lets a canceled queued run leave the queue", async () => {
    const { create, end, stepwell, app, becomes } = await open({ concurrency: { limit: 1 } });
    const [one, two, three] = [await create(), await create(), await create()];
    const canceled = await stepwell.runs.cancel(app, two.id);
    expect([canceled.status, canceled.steps[0]?.status]).toEqual(["canceled", "canceled"]);
    await expect(stepwell.runs.provide(app, three.id, "ask", {})).rejects.toMatchObject({ code: "conflict" });
    await expect(stepwell.runs.provide(app, three.id, "aks", {})).rejects.toMatchObject({
      code: "not_found",
      message: 'The version has no input step with the key "aks". Did you mean "ask"?',
    });
    await end(one);
    await becomes(three, "waiting");
  });

  it("begins runs with a higher priority first", async () => {
    const { create, end, becomes, status } = await open({
      concurrency: { limit: 1 },
      priority: "input.urgent ? 10 : 0",
    });
    const first = await create({ urgent: false });
    const [low, high, highest] = [
      await create({ urgent: false }),
      await create({ urgent: true }),
      await create({ urgent: false }, { priority: 100 }),
    ];
    expect([low.priority, high.priority, highest.priority]).toEqual([undefined, 10, 100]);
    await end(first);
    await becomes(highest, "waiting");
    await end(highest);
    await becomes(high, "waiting");
    expect(await status(low)).toBe("queued");
  });

  it("rejects a run whose key cannot be evaluated, and a key that reads steps", async () => {
    const { create, runs, deploy } = await open({ concurrency: { key: "input.customer", limit: 1 } });
    await expect(create({})).rejects.toMatchObject({
      code: "invalid",
      errors: [{ pointer: "", message: expect.stringContaining("The key of concurrency") }],
    });
    expect(await runs()).toEqual([]);
    await expect(
      deploy(waits, { settings: { debounce: { key: "steps.first.output", period: 1 }, priority: "input." } }),
    ).rejects.toMatchObject({
      errors: [
        { pointer: "/settings/debounce/key", message: expect.stringContaining("Must not read steps") },
        { pointer: "/settings/priority" },
      ],
    });
  });
});

describe("settings.debounce", () => {
  it("combines calls into one run with the last input, a period after the last call", async () => {
    const { create, clock, wait, runs } = await open({ debounce: { key: "input.k", period: 10 } }, sees);
    const first = await create({ k: 1, n: 1 }, { tags: ["a"] });
    expect(first).toMatchObject({ status: "waiting", started_at: null });
    await clock.advance("6s");
    const second = await create({ k: 1, n: 2 }, { tags: ["b"] });
    expect(second).toMatchObject({ id: first.id, existing: true, status: "waiting", tags: ["b"] });
    expect(Date.parse(second.begins_at ?? "")).toBe(clock.now() + 10_000);
    await create({ k: 2, n: 3 });
    await clock.advance("6s");
    expect((await runs()).map((run) => run.status)).toEqual(["waiting", "waiting"]);
    await clock.advance("4s");
    expect((await wait(first.id)).output).toEqual({ k: 1, n: 2 });
    expect(await runs()).toHaveLength(2);
    expect((await create({ k: 1, n: 4 })).id).not.toBe(first.id);
  });

  it("begins after max_wait even if calls continue", async () => {
    const { create, clock, wait } = await open({ debounce: { period: 10, max_wait: 25 } }, sees);
    const { id } = await create({ n: 0 });
    for (let n = 1; n <= 3; n++) {
      await clock.advance("8s");
      expect((await create({ n })).id).toBe(id);
    }
    await clock.advance("1s");
    expect((await wait(id)).output).toEqual({ n: 3 });
  });

  it("postpones a run that is held back, and keeps no other run from beginning", async () => {
    const settings: Settings = { concurrency: { limit: 1 }, debounce: { key: "input.d", period: 1 } };
    const { create, clock, status, end, becomes } = await open(settings);
    const first = await create({ d: "a" });
    await clock.advance("2s");
    const held = await create({ d: "b", n: 1 });
    await clock.advance("2s");
    expect([await status(first), await status(held)]).toEqual(["waiting", "queued"]);
    expect(await create({ d: "b", n: 2 })).toMatchObject({ id: held.id, status: "waiting", input: { d: "b", n: 2 } });
    await end(first);
    await clock.advance("2s");
    await becomes(held, "waiting");
    expect((await end(held)).status).toBe("succeeded");
  });

  it("keeps the last of 64 callers at once, across a restart", async () => {
    const { create, clock, restart, runs } = await open({ debounce: { period: 100 } }, sees);
    const created = await Promise.all(Array.from({ length: 64 }, (_, n) => create({ n })));
    expect(new Set(created.map(({ id }) => id)).size).toBe(1);
    expect(created.filter(({ existing }) => existing === undefined)).toHaveLength(1);
    expect(await runs()).toHaveLength(1);
    const after = await restart();
    expect(await after.create({ n: 64 })).toMatchObject({ id: created[0]?.id, existing: true });
    await clock.advance("100s");
    expect((await after.wait(created[0]?.id ?? "")).output).toEqual({ n: 64 });
  });

  it("starts a replay by itself, with the outcomes that it keeps", async () => {
    const { create, clock, wait, stepwell, app } = await open({ debounce: { period: 10 } }, [
      input("in"),
      give("kept"),
      fail("bad"),
    ]);
    const { id } = await create({ n: 1 });
    await clock.advance("10s");
    const failed = await wait(id);
    expect(failed.status).toBe("failed");
    const replay = (how: JsonObject = {}) => stepwell.runs.replay(app, id, how);
    const replayed = await replay({ from_step: "bad" });
    const called = await create({ n: 2 });
    expect(called.existing).toBeUndefined();
    const again = await replay({ from_step: "bad" });
    const whole = await replay();
    expect(new Set([id, replayed.id, called.id, again.id, whole.id]).size).toBe(5);
    for (const run of [await wait(replayed.id), await wait(again.id)]) {
      expect(run.input).toEqual({ n: 1 });
      expect(run.steps[1]?.started_at).toBe(failed.steps[1]?.started_at);
    }
    expect((await wait(whole.id)).input).toEqual({ n: 1 });
    await clock.advance("10s");
    const ended = await wait(called.id);
    expect([ended.input, ended.steps[1]?.attempts]).toEqual([{ n: 2 }, 1]);
    expect(ended.steps[1]?.started_at).not.toBe(failed.steps[1]?.started_at);
  });

  it("starts one run for each run that a job replays", async () => {
    const { create, clock, wait, stepwell, app, runs } = await open({ debounce: { key: "input.n", period: 10 } }, sees);
    const first = [await create({ n: 1 }), await create({ n: 2 })];
    await clock.advance("10s");
    for (const { id } of first) await wait(id);
    for (const round of [1, 2]) {
      const job = await stepwell.runs.bulk(app, { action: "replay", filter: { trigger: "api" } });
      await expect.poll(async () => (await stepwell.jobs.get(app, job.id)).status).toBe("succeeded");
      expect((await runs()).filter((run) => run.status === "succeeded")).toHaveLength(2 + 2 * round);
    }
  });

  it("leaves no row below the run that started it first when another run replaces its input", async () => {
    const settings: Settings = { start_on: [{ name: "changed" }], debounce: { period: 10 } };
    const { run, runs, clock, wait, stepwell, app, close, data } = await open(settings, sees);
    const emit: Step = {
      type: "service",
      key: "emit",
      service: { service: "events", action: "emit", input: { name: "changed" } },
    };
    for (const _ of [1, 2]) expect((await run([input("in"), emit])).status).toBe("succeeded");
    const started = await runs();
    expect(started).toHaveLength(1);
    const id = started[0]?.id ?? "";
    await clock.advance("10s");
    expect((await wait(id)).status).toBe("succeeded");
    await stepwell.runs.remove(app, id);
    await close();
    await expectIntact(faultyDriver(data, "rejects", 0).driver);
  });

  it("begins earlier if a later call waits for a shorter time", async () => {
    const { create, clock, status } = await open({ debounce: { period: 10 } }, sees);
    const run_at = new Date(clock.now() + 3_600_000).toISOString();
    const first = await create({ n: 1 }, { run_at });
    expect(first.begins_at).toBe(run_at);
    const second = await create({ n: 2 });
    expect([second.id, Date.parse(second.begins_at ?? "")]).toEqual([first.id, clock.now() + 10_000]);
    await clock.advance("10s");
    await expect.poll(() => status(first)).toBe("succeeded");
  });

  it("is over once the run is canceled", async () => {
    const { create, stepwell, app, clock, wait } = await open({ debounce: { period: 10 } }, sees);
    const first = await create({ n: 1 });
    await stepwell.runs.cancel(app, first.id);
    const second = await create({ n: 2 });
    expect(second.existing).toBeUndefined();
    await clock.advance("10s");
    expect((await wait(second.id)).output).toEqual({ n: 2 });
  });
});

describe("settings.rate_limit", () => {
  it("lets runs beyond the limit wait for a period, and drops none", async () => {
    const { create, clock, runs } = await open({ rate_limit: { limit: 2, period: 10 } }, sees);
    await Promise.all(Array.from({ length: 6 }, (_, n) => create({ n })));
    const ended = async () => (await runs()).filter((run) => run.status === "succeeded").length;
    expect(await ended()).toBe(2);
    await clock.advance("10s");
    expect(await ended()).toBe(2);
    for (const count of [4, 6]) {
      await clock.advance("500ms");
      await expect.poll(ended).toBe(count);
      await clock.advance("10s");
    }
  });

  it("lets a run begin at once after a waiting one was canceled", async () => {
    const { create, clock, stepwell, app } = await open({ rate_limit: { limit: 1, period: 10 } }, sees);
    expect((await create()).status).toBe("succeeded");
    const waiting = await create();
    expect(waiting.status).toBe("waiting");
    await stepwell.runs.cancel(app, waiting.id);
    // Its turn is not given back, but has passed a period later.
    await clock.advance("21s");
    expect((await create()).status).toBe("succeeded");
  });

  it("survives a restart, and counts each key by itself", async () => {
    const { create, clock, restart } = await open({ rate_limit: { key: "input.k", limit: 1, period: 600 } }, sees);
    expect((await create({ k: 1 })).status).toBe("succeeded");
    expect((await create({ k: 2 })).status).toBe("succeeded");
    const waiting = await create({ k: 1 });
    expect(waiting.status).toBe("waiting");
    const turn = Date.parse(waiting.begins_at ?? "");
    expect(turn).toBeGreaterThanOrEqual(clock.now() + 600_000);
    expect(turn).toBeLessThanOrEqual(clock.now() + 600_000 * 1.04);
    const after = await restart(); // takes a minute
    expect(Date.parse((await after.create({ k: 1 })).begins_at ?? "") - turn).toBeGreaterThanOrEqual(600_000);
    await clock.advance("11m");
    expect((await after.wait(waiting.id)).status).toBe("succeeded");
  });

  it.each([0, 1])(
    "holds for runs that had to wait for a slot, while each look at the clock takes %i ms",
    async (milliseconds) => {
      const clock = createTestClock();
      let passed = 0;
      const now = () => {
        passed += milliseconds;
        return clock.now() + passed;
      };
      const { released, release } = createGate();
      const sandbox = scripted({ slow: () => released });
      const settings = { rate_limit: { limit: 1, period: 20 } };
      const { stepwell, app, create, deploy, runs } = await open(settings, works, {
        ...{ sandbox, limits: { concurrentRuns: 1 }, clock: { ...clock, now } },
      });
      const slow = await deploy([{ type: "code", key: "slow", code: "slow", timeout: 3_600 }]);
      const holding = await stepwell.runs.create(app, slow, {});
      for (let n = 0; n < 4; n++) await create({ n });
      await clock.advance("5m");
      expect((await runs()).map((run) => run.status)).toEqual(Array.from({ length: 4 }, () => "queued"));
      release();
      await stepwell.runs.wait(app, holding.id);
      await until(async () => {
        await clock.advance("1s");
        return (await runs()).every((run) => run.status === "succeeded");
      });
      const times = (await runs()).map((run) => Date.parse(run.started_at ?? "")).sort();
      const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
      expect(pauses.every((pause) => pause >= 20_000 && pause < 22_000)).toBe(true);
    },
  );

  it("holds after an interruption", async () => {
    const { create, clock, close, data, app } = await open({ rate_limit: { limit: 1, period: 20 } }, sees);
    for (let n = 0; n < 4; n++) await create({ n });
    await close();
    await clock.advance("1h");
    const after = await timedService(clock, data, {}, app);
    const ended = async () =>
      (await after.stepwell.runs.list(app)).items.filter((run) => run.status === "succeeded").length;
    for (const count of [2, 3, 4]) {
      await expect.poll(ended).toBe(count);
      await clock.advance("19s");
      expect(await ended()).toBe(count);
      await clock.advance("3s");
    }
  });
});

/** What the setting promises, for any calls and interruptions. */
it("no period has more beginnings than the limit", () => {
  const call = fc.record({
    wait: fc.nat({ max: 3_000 }),
    outage: fc.constantFrom(0, 0, 0, 0, 700, 9_000),
    /** Which of the runs that are due together begins first: reading another one may have failed. */
    pick: fc.constantFrom(0, 0, 0, 1, 2, 5),
  });
  fc.assert(
    fc.property(
      fc.array(call, { maxLength: 120 }),
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 1, max: 5_000 }),
      (calls, limit, period_ms) => {
        let now = 1_700_000_000_000;
        let starts = NO_STARTS;
        const waiting: { planned: number; at: number }[] = [];
        const begun: number[] = [];

        /** Lets the runs begin that are due, or wait again. */
        function beginDue(until: number, pick = 0): void {
          for (;;) {
            const [first] = waiting.sort((one, other) => one.at - other.at);
            if (first === undefined || first.at > until) break;
            now = Math.max(now, first.at);
            const together = waiting.filter(({ at }) => at <= now);
            const next = together[pick % together.length] ?? first;
            const due = plannedStart(starts, { period_ms }, next.planned, now);
            starts = due.starts;
            if (due.at > now) next.at = due.at;
            else {
              waiting.splice(waiting.indexOf(next), 1);
              begun.push(now);
            }
          }
          now = Math.max(now, until);
        }

        for (const { wait, outage, pick } of calls) {
          now += outage;
          // After an outage, a call may come before those that are overdue.
          if (outage === 0) beginDue(now + wait, pick);
          const start = nextStart(starts, { limit, period_ms }, now, waiting.length > 0);
          starts = start.starts;
          expect(starts.buckets.length).toBeLessThanOrEqual(64);
          if (start.at <= now) begun.push(now);
          else waiting.push(start);
        }
        beginDue(Number.MAX_SAFE_INTEGER);
        expect(begun).toHaveLength(calls.length);
        for (const [index, at] of begun.entries()) {
          const first = begun[index - limit];
          // A millisecond, because times are whole ones.
          if (first !== undefined) expect(at - first).toBeGreaterThanOrEqual(period_ms - 1);
        }
      },
    ),
    { numRuns: 500 },
  );
});

describe("run_at", () => {
  it("lets a run wait for its time, outside the queue, across a restart", async () => {
    const limits = { limits: { queuedRuns: 1, concurrentRuns: 1 } };
    const { create, clock, restart } = await open({}, [input("in"), give("now", {}, null)], limits);
    const run_at = new Date(clock.now() + 3_600_000).toISOString();
    const runs = [await create({ n: 1 }, { run_at }), await create({ n: 2 }, { run_at }), await create({}, { run_at })];
    expect(runs.map((run) => [run.status, run.begins_at])).toEqual(runs.map(() => ["waiting", run_at]));
    await clock.advance("50m");
    const after = await restart();
    expect(await after.status(runs[0] ?? { id: "" })).toBe("waiting");
    await clock.advance("10m");
    for (const { id } of runs) {
      const ended = await after.wait(id);
      expect(ended.status).toBe("succeeded");
      expect(ended.begins_at).toBeUndefined();
      expect(Date.parse(ended.started_at ?? "")).toBeGreaterThanOrEqual(Date.parse(run_at));
    }
  });

  it("begins at once if the time has passed, and refuses a time more than a year away", async () => {
    const { create, clock } = await open({}, sees);
    expect((await create({}, { run_at: "2020-01-01T00:00:00Z" })).status).toBe("succeeded");
    const far = new Date(clock.now() + 367 * 86_400_000).toISOString();
    await expect(create({}, { run_at: far })).rejects.toMatchObject({ errors: [{ pointer: "/run_at" }] });
  });

  it("gives expressions the time at which the run began", async () => {
    const steps: Step[] = [
      input("in"),
      { type: "note", key: "n", note: "", conditional: "now >= timestamp(input.at)" },
    ];
    const { create, clock, wait } = await open({}, steps);
    const run_at = new Date(clock.now() + 60_000).toISOString();
    const run = await create({ at: run_at }, { run_at });
    await clock.advance("60s");
    expect((await wait(run.id)).steps.map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
  });
});

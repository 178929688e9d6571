/** for_each: items, concurrency, failures, limits, restarts and retries. */

import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineService, type JsonObject, type JsonValue, type Run, type Step } from "../../src/index.ts";
import { createTestClock, type TestClock } from "../../src/testing/index.ts";
import { give, statuses, step, to } from "../support/engine/service.ts";
import { timedService } from "../support/engine/timed-service.ts";
import { createGate } from "../support/gate.ts";

interface Call {
  readonly item: JsonValue;
  readonly key: string;
}

/** A service whose action records the items, waits as long as `gate` says, and fails for the items in `failing`. */
function worker(failing: readonly JsonValue[] = []) {
  const calls: Call[] = [];
  const state = {
    active: 0,
    most: 0,
    failing: new Set(failing),
    gate: (_: JsonValue): Promise<void> | undefined => undefined,
  };
  const work = defineService({
    name: "work",
    actions: {
      do: {
        input: v.object({ item: v.any(), index: v.number() }),
        output: v.any(),
        maxAttempts: 1,
        async run({ item, index }, { idempotencyKey, signal }) {
          calls.push({ item, key: idempotencyKey });
          state.active++;
          state.most = Math.max(state.most, state.active);
          try {
            await Promise.race(
              [
                state.gate(item),
                new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
              ].slice(0, state.gate(item) === undefined ? 1 : 2),
            );
            signal.throwIfAborted();
            if (state.failing.has(item)) throw new Error(`no ${item}`);
            return { item, index };
          } finally {
            state.active--;
          }
        },
      },
    },
  });
  return { calls, state, services: [work] };
}

const each = (items: string, more: object = {}, rest: object = {}): Step =>
  ({
    type: "service",
    key: "each",
    service: { service: "work", action: "do", input: { item: "{{ item }}", index: "{{ index }}" } },
    for_each: { items, ...more },
    ...rest,
  }) as Step; // of one type

const show = (key: string, expression: string): Step => ({
  type: "branch",
  key,
  conditions: { yes: { condition: expression, destinations: [], order: 0 } },
});

async function open(
  failing?: readonly JsonValue[],
  clock: TestClock = createTestClock(),
  data = new Map<string, string>(),
) {
  const { calls, state, services } = worker(failing);
  const service = await timedService(clock, data, { services });
  return { ...service, calls, state, services, clock, data };
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const shortKeys = (calls: readonly Call[], { id }: Run) => calls.map(({ key }) => key.slice(id.length));

describe("a step with for_each", () => {
  it("runs once for each item, in order, and returns the list of outputs", async () => {
    const { run, calls } = await open();
    const ended = await run([each("input.list")], { list: ["a", "b", "c"] });
    expect(ended.output).toEqual([
      { item: "a", index: 0 },
      { item: "b", index: 1 },
      { item: "c", index: 2 },
    ]);
    expect(step(ended, "each")).toMatchObject({ attempts: 3, items: { total: 3, succeeded: 3, failed: 0 } });
    expect(step(ended, "each").errors).toBeUndefined();
    expect(shortKeys(calls, ended)).toEqual(["/each/1", "/each/2", "/each/3"]);
  });

  it("accepts a template, objects, and a list of another step", async () => {
    const { run } = await open();
    const ended = await run([
      give("list", {}, [{ a: 1 }, { a: 2 }]),
      each(" {{ steps.list.output.filter(x, x.a > 1) }} "),
    ]);
    expect(ended.output).toEqual([{ item: { a: 2 }, index: 0 }]);
  });

  it("returns an empty list for an empty one, and runs nothing", async () => {
    const { run, calls } = await open();
    const ended = await run([each("[]"), show("after", "steps.each.output == []")]);
    expect(ended.output).toEqual({ taken: "yes" });
    expect(calls).toEqual([]);
  });

  it("is skipped as a whole by its condition", async () => {
    const { run, calls } = await open();
    expect(statuses(await run([each("[1]", {}, { conditional: "false" })]))).toEqual({ each: "skipped" });
    expect(calls).toEqual([]);
  });

  it.each([1, 3, 100])("works on %i items at once", async (concurrency) => {
    const { start, wait, state, until, clock } = await open();
    const { release, released: gate } = createGate();
    state.gate = () => gate;
    const { id } = await start([each("input.list", { concurrency })], { list: numbers(120) });
    await expect.poll(() => state.active).toBe(concurrency);
    expect(step(await until(id, () => true), "each").items).toEqual({ total: 120, succeeded: 0, failed: 0 });
    release();
    state.gate = () => undefined;
    const ended = await wait(id);
    expect(ended.status).toBe("succeeded");
    expect(state.most).toBe(concurrency);
    expect(ended.output).toEqual(numbers(120).map((item) => ({ item, index: item })));
    await clock.advance("1s");
  });

  it("fails with the first item that fails, stops the others, and begins no more", async () => {
    const { run, calls, state } = await open([2]);
    state.gate = (item) => (item === 2 ? Promise.resolve() : new Promise(() => {}));
    const ended = await run([each("input.list", { concurrency: 3 }), give("after")], { list: [1, 2, 3, 4, 5] });
    expect(ended.error).toEqual({ code: "step_failed", message: "no 2", step: "each" });
    expect(step(ended, "each").error).toEqual({ code: "step_failed", message: "no 2", index: 1 });
    expect(step(ended, "each").items).toEqual({ total: 5, succeeded: 0, failed: 1 });
    expect(calls.map(({ item }) => item)).toEqual([1, 2, 3]);
    await expect.poll(() => state.active).toBe(0);
  });

  it("continues after errors if it is told to, with null for items that failed", async () => {
    const { run } = await open(["b", "d"]);
    const ended = await run(
      [
        each("input.list", { on_error: "continue", concurrency: 2 }),
        show("after", 'steps.each.errors.map(e, e.index) == [1, 3] && steps.each.errors[0].message == "no b"'),
      ],
      { list: ["a", "b", "c", "d"] },
    );
    expect(ended.output).toEqual({ taken: "yes" });
    expect(step(ended, "each").output).toEqual([{ item: "a", index: 0 }, null, { item: "c", index: 2 }, null]);
    expect(step(ended, "each")).toMatchObject({
      status: "succeeded",
      error: null,
      items: { total: 4, succeeded: 2, failed: 2 },
    });
    expect(step(ended, "each").errors).toEqual([
      { index: 1, code: "step_failed", message: "no b", attempts: 1 },
      { index: 3, code: "step_failed", message: "no d", attempts: 1 },
    ]);
  });

  it("retries each item by itself, and its catch routes apply to the whole step", async () => {
    const { start, wait, clock, calls } = await open(["b"]);
    const steps = [
      each(
        "input.list",
        { concurrency: 3 },
        {
          retry: { max_attempts: 3, initial_interval: 60, backoff: 1, on: "any" },
          on_error: [{ condition: "error.index == 1 && error.attempts == 3", destinations: ["rescue"] }],
          ...to("after"),
        },
      ),
      give("after"),
      give("rescue"),
    ];
    const ended = wait((await start(steps, { list: ["a", "b", "c"] })).id);
    for (let minute = 0; minute < 5; minute++) await clock.advance("1m");
    expect(statuses(await ended)).toEqual({ each: "failed", after: "skipped", rescue: "succeeded" });
    expect(calls.filter(({ item }) => item === "b").map(({ key }) => key.split("/").at(-1))).toEqual([
      "2",
      "2~2",
      "2~3",
    ]);
  });

  it("waits without memory when all open items wait for their next attempt", async () => {
    const { start, wait, clock, state, until } = await open(["a", "b"]);
    const retry = { max_attempts: 2, initial_interval: 3_600, on: "any" };
    const { id } = await start([each("input.list", { concurrency: 2 }, { retry })], { list: ["a", "b"] });
    const waiting = await until(id, ({ status }) => status === "waiting");
    expect(step(waiting, "each")).toMatchObject({ status: "waiting", items: { total: 2, succeeded: 0, failed: 0 } });
    expect(step(waiting, "each").waits_until).toBeDefined();
    state.failing.clear();
    const ended = wait(id);
    await clock.advance("70m");
    expect((await ended).output).toEqual([
      { item: "a", index: 0 },
      { item: "b", index: 1 },
    ]);
  });

  it.each<[string, string, JsonObject, RegExp]>([
    ["no list", "input.list", { list: { a: 1 } }, /must be a list, not an object/],
    ["null", "input.list", { list: null }, /must be a list, not null/],
    ["10,001 items", "input.list", { list: numbers(10_001) }, /accepts at most 10,000 items, not 10,001/],
    ["more than 10 MiB", "input.list", { list: ["x".repeat(11 * 1024 * 1024)] }, /exceed 10,485,760 characters/],
  ])("fails with a clear error for %s, which can be caught", async (_, items, given, message) => {
    const { run, calls } = await open();
    const ended = await run([each(items), give("after")], given);
    expect(ended.error).toMatchObject({ code: "invalid_items", step: "each" });
    expect(ended.error?.message).toMatch(message);
    const caught = await run(
      [each(items, {}, { on_error: [{ destinations: ["rescue"] }], ...to("after") }), give("after"), give("rescue")],
      given,
    );
    expect(caught.output).toBe("rescue");
    expect(calls).toEqual([]);
  });

  it("fails when its outputs exceed the size of one output", async () => {
    const { run } = await open();
    const code: Step = {
      ...{ type: "code", key: "big", code: `give ${JSON.stringify("x".repeat(2_000_000))}` },
      for_each: { items: "[1, 2, 3, 4, 5, 6, 7]" },
    } as Step;
    expect((await run([code])).error).toMatchObject({ code: "output_limit", step: "big" });
  });

  it("runs a child for each item, and stops them when one fails", async () => {
    const { deploy, start, wait, stepwell, app, state } = await open([2]);
    const child = await deploy([
      {
        type: "service",
        key: "do",
        service: { service: "work", action: "do", input: { item: "{{ input.n }}", index: 0 } },
      },
    ]);
    const { release, released: gate } = createGate();
    state.gate = (item) => (item === 2 ? gate : new Promise(() => {}));
    const parent = {
      ...{ type: "workflow", key: "each", workflow_id: child, input: { n: "{{ item }}" } },
      for_each: { items: "[1, 2, 3]", concurrency: 3 },
    } as Step;
    const { id } = await start([parent]);
    await expect.poll(() => state.active).toBe(3);
    release();
    expect((await wait(id)).error).toMatchObject({ code: "child_failed", step: "each" });
    await expect
      .poll(async () => (await stepwell.runs.listOfWorkflow(app, child)).items.map(({ status }) => status).sort())
      .toEqual(["canceled", "canceled", "failed"]);
  });
});

describe("a run with for_each", () => {
  it("continues after a restart without repeating an item that is done", async () => {
    const clock = createTestClock();
    const first = await open([], clock);
    first.state.gate = (item) => (item === 5 ? new Promise(() => {}) : undefined);
    const { id } = await first.start([each("input.list"), give("after", {}, 1)], { list: numbers(10) });
    await expect.poll(() => first.calls.length).toBe(6);
    await first.until(id, (run) => step(run, "each").items?.succeeded === 5);
    const copy = new Map(first.data);
    const { calls, services } = worker();
    const second = await timedService(clock, copy, { services }, first.app);
    const ended = await second.wait(id);
    expect(step(ended, "each").output).toEqual(numbers(10).map((item) => ({ item, index: item })));
    expect(calls.map(({ item }) => item)).toEqual([5, 6, 7, 8, 9]);
    expect(calls[0]?.key).toBe(`${id}/each/6`);
  });

  it("that failed repeats only the items that are not done, the failed one under a new key", async () => {
    const { run, stepwell, app, wait, calls, state } = await open([3]);
    const failed = await run([each("input.list"), give("after", {}, 1)], { list: numbers(6) });
    expect(failed.status).toBe("failed");
    const before = calls.length;
    state.failing.clear();
    await stepwell.runs.retry(app, failed.id);
    const ended = await wait(failed.id);
    expect(step(ended, "each").output).toEqual(numbers(6).map((item) => ({ item, index: item })));
    expect(shortKeys(calls.slice(before), ended)).toEqual(["/each/4/1", "/each/5", "/each/6"]);
    expect(step(ended, "each").items).toEqual({ total: 6, succeeded: 6, failed: 0 });
  });

  it("that was canceled continues with the items that are left, under the same keys", async () => {
    const { start, stepwell, app, wait, calls, state, until } = await open([1]);
    state.gate = (item) => (item === 3 ? new Promise(() => {}) : undefined);
    const { id } = await start([each("input.list", { on_error: "continue" })], { list: numbers(5) });
    await until(id, (run) => step(run, "each").items?.succeeded === 2 && step(run, "each").items?.failed === 1);
    await expect.poll(() => calls.length).toBe(4);
    await stepwell.runs.cancel(app, id);
    state.gate = () => undefined;
    await stepwell.runs.retry(app, id);
    const ended = await wait(id);
    expect(calls.map(({ item }) => item)).toEqual([0, 1, 2, 3, 3, 4]);
    expect(new Set(shortKeys(calls, ended).slice(3, 5)).size).toBe(1);
    expect(step(ended, "each")).toMatchObject({ items: { total: 5, succeeded: 4, failed: 1 }, attempts: 5 });
  });

  it("keeps what ended together with the item that failed", async () => {
    const { start, wait, state, calls } = await open([0]);
    const { release, released: gate } = createGate();
    state.gate = () => gate;
    const { id } = await start([each("input.list", { concurrency: 5 }), give("after")], { list: numbers(5) });
    await expect.poll(() => calls.length).toBe(5);
    release();
    expect(step(await wait(id), "each").items).toEqual({ total: 5, succeeded: 4, failed: 1 });
  });

  it("repeats only the item whose output was too long, and counts the outputs that it kept", async () => {
    const { run, stepwell, app, wait, calls } = await open();
    const given = { item: "{{ input.text }}", index: "{{ index }}" };
    const big = { ...each("range(0, 5)"), service: { service: "work", action: "do", input: given } } as Step;
    const failed = await run([big], { text: "x".repeat(2_500_000) });
    for (let round = 0; round < 2; round++) {
      const shown = step(await stepwell.runs.get(app, failed.id), "each");
      expect([shown.error?.code, shown.output, shown.items?.succeeded]).toEqual(["output_limit", null, 4]);
      await stepwell.runs.retry(app, failed.id);
      await wait(failed.id);
    }
    expect(calls.map(({ key }) => key.split("/")[2])).toEqual(["1", "2", "3", "4", "5", "5", "5"]);
  });

  it("shows an empty list of errors where no item failed, also for an empty list", async () => {
    const { run } = await open();
    for (const items of ["[]", "[1]"]) {
      expect((await run([each(items), show("after", "steps.each.errors == []")])).output).toEqual({ taken: "yes" });
    }
  });

  it("keeps large outputs and completed steps over two retries", async () => {
    const { deploy, stepwell, app, wait } = await open();
    const big = { ...give("big", {}, "x".repeat(20_000)), for_each: { items: "[1, 2]" } } as Step;
    const workflow = await deploy([big, { type: "code", key: "no", code: "fail x" }]);
    const { id } = await stepwell.runs.create(app, workflow, {});
    for (let round = 0; round < 3; round++) {
      const failed = await wait(id);
      expect(failed.error?.step).toBe("no");
      expect(step(failed, "big").output).toEqual(["x".repeat(20_000), "x".repeat(20_000)]);
      expect(step(failed, "big").attempts).toBe(2);
      await stepwell.runs.retry(app, id);
    }
    await wait(id);
  });
});

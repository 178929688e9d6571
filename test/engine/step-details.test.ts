/** Steps of a run in depth: attempts that are retried, restarts, retried runs, many items, and what is kept of them. */
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineService, RetryableError, type RunEvent, type Step } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { give } from "../support/engine/service.ts";
import { timedService } from "../support/engine/timed-service.ts";

/** An action that fails as often as `failures` says for its item. */
function flaky() {
  const failures = new Map<unknown, number>();
  const service = defineService({
    name: "work",
    actions: {
      do: {
        input: v.object({ item: v.any() }),
        output: v.any(),
        maxAttempts: 3,
        run({ item }) {
          const left = failures.get(item) ?? 0;
          failures.set(item, left - 1);
          if (left > 0) throw new RetryableError(`no ${item} ${left} ${"x".repeat(600)}`);
          return { item };
        },
      },
    },
  });
  return { failures, services: [service] };
}

const act = (key: string, item: string, more: object = {}): Step =>
  ({ type: "service", key, service: { service: "work", action: "do", input: { item } }, ...more }) as Step; // of one type
const RETRY = { retry: { max_attempts: 20, initial_interval: 10, backoff: 1 } };

async function open(data = new Map<string, string>(), clock = createTestClock(), app?: string) {
  const { failures, services } = flaky();
  const opened = await timedService(clock, data, { services }, app);
  return {
    ...opened,
    failures,
    clock,
    data,
    step: (run: string, key: string, options = {}) => opened.stepwell.runs.getStep(opened.app, run, key, options),
  };
}

describe("the attempts of a step", () => {
  it("have their times and errors, of which twenty are kept", async () => {
    const { start, step, clock, failures, wait } = await open();
    failures.set("a", 19);
    const { id } = await start([act("a", "a", RETRY)]);
    await clock.advance("10m");
    expect(await wait(id)).toMatchObject({ status: "succeeded" });
    const { latest_attempts, attempts } = await step(id, "a");
    expect(attempts).toBe(20);
    expect(latest_attempts.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
    expect(latest_attempts.at(-1)).toMatchObject({ number: 20, error: null });
    const [first, second] = latest_attempts;
    expect(first?.error?.code).toBe("step_failed");
    expect(first?.error?.message).toHaveLength(500);
    expect(Date.parse(second?.started_at ?? "") - Date.parse(first?.finished_at ?? "")).toBeGreaterThanOrEqual(10_000);
  });

  it("are there while the next one is waited for, also after a restart", async () => {
    const data = new Map<string, string>();
    const clock = createTestClock();
    const first = await open(data, clock);
    first.failures.set("a", 2);
    const { id } = await first.start([
      act("a", "a", { retry: { ...RETRY.retry, initial_interval: 600, max_interval: 600 } }),
    ]);
    await first.until(id, ({ status }) => status === "waiting");
    expect((await first.step(id, "a")).latest_attempts).toMatchObject([{ number: 1, error: { code: "step_failed" } }]);
    await first.close();
    const second = await open(data, clock, first.app);
    expect(await second.step(id, "a")).toMatchObject({ status: "waiting", input: { item: "a" } });
    expect((await second.step(id, "a")).latest_attempts).toMatchObject([{ number: 1 }]);
    second.failures.set("a", 1);
    await clock.advance("30m");
    await second.wait(id);
    const { latest_attempts } = await second.step(id, "a");
    expect(latest_attempts).toMatchObject([
      { number: 1, error: { code: "step_failed" } },
      { number: 2, error: { code: "step_failed" } },
      { number: 3, error: null },
    ]);
  });

  it("that the type of the step repeats by itself count, too, and cost nothing if there is only one", async () => {
    const { start, step, clock, failures, wait, data } = await open();
    failures.set("a", 1);
    const { id } = await start([act("a", "a"), act("b", "b")]);
    await clock.advance("1m");
    await wait(id);
    expect((await step(id, "a")).latest_attempts).toMatchObject([{ number: 1 }, { number: 2, error: null }]);
    expect((await step(id, "b")).latest_attempts).toMatchObject([{ number: 1, error: null }]);
    expect(data.size).toBeGreaterThan(0);
  });

  it("are announced to those who follow the run", async () => {
    const { start, clock, failures, stepwell, app } = await open();
    failures.set("a", 2);
    failures.set("b", 1);
    const { id } = await start([act("a", "a", RETRY), act("b", "b")]);
    const seen: RunEvent[] = [];
    const all = (async () => {
      for await (const event of stepwell.runs.events(app, id)) seen.push(event);
    })();
    await clock.advance("2m");
    await all;
    const retrying = seen.flatMap((event) => (event.type === "step.retrying" ? [event] : []));
    expect(retrying.map(({ step, attempt, error }) => [step, attempt, error.code])).toEqual(
      expect.arrayContaining([
        ["a", 2, "step_failed"],
        ["b", 1, "step_failed"],
      ]),
    );
    const [one] = retrying;
    expect(Date.parse(one?.next_at ?? "")).toBeGreaterThan(Date.parse(one?.at ?? ""));
  });
});

describe("what a retried run keeps", () => {
  const each = act("each", "{{ item }}", {
    for_each: { items: "input.list", on_error: "continue" },
    retry: { max_attempts: 2 },
  });
  const loop = act("loop", "{{ iteration }}", { loop: "iteration == 3" });

  it("includes the attempts of its items and the times of its repetitions", async () => {
    const { start, step, clock, failures, wait, stepwell, app, data } = await open();
    failures.set("x", 1);
    failures.set("y", 9);
    failures.set("last", 9);
    const { id } = await start([act("once", "x", { retry: { max_attempts: 2 } }), each, loop, act("end", "last")], {
      list: ["x", "y", "z"],
    });
    await clock.advance("5m");
    expect(await wait(id)).toMatchObject({ status: "failed" });
    const before = await Promise.all(["once", "each", "loop"].map((key) => step(id, key)));
    const listed = await stepwell.runs.listItems(app, id, "each");
    const repeated = await stepwell.runs.listItems(app, id, "loop");
    expect(repeated.items.map(({ status }) => status)).toEqual(["succeeded", "succeeded", "succeeded"]);
    expect(before[0]?.latest_attempts).toHaveLength(2);
    failures.set("last", 0);
    await stepwell.runs.retry(app, id);
    await clock.advance("1m");
    expect(await wait(id)).toMatchObject({ status: "succeeded" });
    const after = await Promise.all(["once", "each", "loop"].map((key) => step(id, key)));
    expect(after.map(({ latest_attempts }) => latest_attempts)).toEqual(
      before.map(({ latest_attempts }) => latest_attempts),
    );
    expect(await stepwell.runs.listItems(app, id, "each")).toEqual(listed);
    expect((await stepwell.runs.listItems(app, id, "loop")).items.map(({ started_at }) => started_at)).toEqual(
      repeated.items.map(({ started_at }) => started_at),
    );
    await stepwell.runs.remove(app, id);
    expect([...data.keys()].filter((key) => key.includes("history"))).toEqual([]);
  });
});

describe("many items", () => {
  it("are paged while the run is executed, when it waits, and after its end", async () => {
    const { start, step, clock, wait, until, stepwell, app, failures } = await open();
    failures.set(4_321, 100);
    const list = Array.from({ length: 5_000 }, (_, item) => item);
    const each = act("each", "{{ item }}", {
      for_each: { items: "input.list", on_error: "continue", concurrency: 100 },
      ...RETRY,
    });
    const { id } = await start([each], { list });
    await until(id, ({ steps }) => (steps[0]?.items?.succeeded ?? 0) >= 4_999);
    const unended = await stepwell.runs.listItems(app, id, "each", { status: ["waiting", "running"] });
    expect(unended.items).toMatchObject([{ index: 4_321, finished_at: null }]);
    await stepwell.runs.cancel(app, id);
    await clock.advance("1s");
    expect(await wait(id)).toMatchObject({ status: "canceled" });
    const all: number[] = [];
    for await (const { index } of stepwell.runs.listAllItems(app, id, "each", { take: 1_000 })) all.push(index);
    expect(all).toEqual(list);
    expect((await stepwell.runs.listItems(app, id, "each", { status: "canceled" })).items).toMatchObject([
      { index: 4_321 },
    ]);
    expect((await stepwell.runs.listItems(app, id, "each", { page: 5, take: 1_000 })).items[0]).toMatchObject({
      index: 4_000,
      status: "succeeded",
      attempts: 1,
      started_at: expect.any(String),
    });
    expect(await step(id, "each", { item: 7 })).toMatchObject({ output: { item: 7 }, input: { item: 7 } });
  });
});

it("a run that keeps outcomes of another one shows its steps", async () => {
  const { start, step, clock, wait, stepwell, app, failures } = await open();
  failures.set("a", 1);
  const { id } = await start([
    act("a", "a", { retry: { max_attempts: 3 } }),
    act("b", "{{ steps.a.output.item }}"),
    give("c"),
  ]);
  await clock.advance("1m");
  await wait(id);
  const again = await stepwell.runs.replay(app, id, { from_step: "b" });
  await clock.advance("1s");
  await wait(again.id);
  expect(await step(again.id, "b")).toMatchObject({ input: { item: "a" }, output: { item: "a" } });
  expect(await step(again.id, "a")).toMatchObject({ status: "succeeded", attempts: 2, latest_attempts: [] });
});

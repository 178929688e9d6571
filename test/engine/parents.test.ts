/** Runs that wait for child runs leave memory and give back their slot. */
import { describe, expect, it } from "vitest";
import type { JsonObject, Options, Run, Step } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { give, input, step, to } from "../support/engine/service.ts";
import { timedService } from "../support/engine/timed-service.ts";

const ask = (key: string, more: Partial<Extract<Step, { type: "input" }>> = {}): Step => ({
  ...{ type: "input", key, input: {} },
  ...more,
});

async function open(more: Options = {}) {
  const clock = createTestClock();
  const data = new Map<string, string>();
  const service = await timedService(clock, data, more);
  const { app, deploy } = service;
  const child = await deploy([input("in"), ask("ask"), give("answer")]);
  const runsChild = (extra: Partial<Extract<Step, { type: "workflow" }>> = {}): Step => ({
    ...{ type: "workflow", key: "child", workflow_id: child, input: {} },
    ...extra,
  });
  const on = (opened: typeof service) => ({
    children: async ({ id }: Pick<Run, "id">) =>
      (await opened.stepwell.runs.list(app, { parent_run_id: id, order: "asc" })).items,
    provide: (id: string, key = "ask", values: JsonObject = {}) => opened.stepwell.runs.provide(app, id, key, values),
  });
  return {
    ...{ ...service, clock, data, child, runsChild },
    ...on(service),
    async restart() {
      await service.close();
      const next = await timedService(clock, data, more, app);
      return { ...next, ...on(next) };
    },
  };
}

const isWaiting = ({ status }: Run) => status === "waiting";

describe("a run that only waits for child runs", () => {
  it("waits without a slot, and resumes when a child ends", async () => {
    const { start, runsChild, clock, until, children, provide, wait, get } = await open({
      limits: { concurrentRuns: 1 },
    });
    const parent = await start([input("in"), runsChild(), give("after")]);
    await expect.poll(async () => (await children(parent))[0]?.status).toBe("waiting");
    expect((await start([input("in"), give("a")])).status).toBe("queued");
    await clock.advance("10s");
    const run = await until(parent.id, isWaiting);
    expect(run.steps.map(({ key, status }) => [key, status])).toEqual([
      ["in", "succeeded"],
      ["child", "waiting"],
      ["after", "pending"],
    ]);
    // The slot is free.
    const other = await start([input("in"), give("a")]);
    expect((await wait(other.id)).status).toBe("succeeded");
    const [child] = await children(parent);
    await provide(child?.id ?? "");
    expect((await wait(parent.id)).output).toBe("after");
    expect(step(await get(parent.id), "child")).toMatchObject({ status: "succeeded", output: "answer", attempts: 1 });
    expect(await children(parent)).toHaveLength(1);
  });

  it("resumes after a restart, also if the child ended in another process", async () => {
    const { start, runsChild, clock, until, restart } = await open();
    const parent = await start([input("in"), runsChild()]);
    await clock.advance("10s");
    await until(parent.id, isWaiting);
    const after = await restart();
    expect((await after.get(parent.id)).status).toBe("waiting");
    const [child] = await after.children(parent);
    await after.provide(child?.id ?? "");
    expect((await after.wait(parent.id)).output).toBe("answer");
  });

  it("goes on with its other steps meanwhile", async () => {
    const { start, runsChild, clock, until, children, provide, wait } = await open();
    const steps: Step[] = [
      input("in", to("child", "other")),
      runsChild(to("join")),
      ask("other", to("more")),
      give("more", to("join")),
      give("join"),
    ];
    const parent = await start(steps);
    await clock.advance("10s");
    await until(parent.id, isWaiting);
    await provide(parent.id, "other");
    await until(parent.id, (run) => step(run, "more").status === "succeeded");
    await clock.advance("10s");
    await until(parent.id, isWaiting);
    await provide((await children(parent))[0]?.id ?? "");
    expect((await wait(parent.id)).output).toBe("join");
  });

  it("cancels its children when it is canceled, even if the process ends in between", async () => {
    const { start, runsChild, clock, until, stepwell, app, restart } = await open();
    const parent = await start([input("in"), runsChild({ for_each: { items: "[1, 2, 3]", concurrency: 3 } })]);
    await clock.advance("10s");
    await until(parent.id, isWaiting);
    void stepwell.runs.cancel(app, parent.id);
    const after = await restart();
    await expect
      .poll(async () => (await after.children(parent)).map(({ status }) => status))
      .toEqual([...["canceled", "canceled", "canceled"]]);
    expect((await after.get(parent.id)).status).toBe("canceled");
  });

  it("starts other children when it is retried", async () => {
    const { start, runsChild, clock, until, stepwell, app, children, provide, wait } = await open();
    const parent = await start([input("in"), runsChild()]);
    await clock.advance("10s");
    await until(parent.id, isWaiting);
    await stepwell.runs.cancel(app, parent.id);
    await stepwell.runs.retry(app, parent.id);
    await expect
      .poll(async () => (await children(parent)).map(({ status }) => status))
      .toEqual(["canceled", "waiting"]);
    await provide((await children(parent))[1]?.id ?? "");
    expect((await wait(parent.id)).status).toBe("succeeded");
  });

  it("counts the time limit of the step from the creation of the child, in every process", async () => {
    const { start, runsChild, clock, until, restart } = await open();
    const parent = await start([input("in"), runsChild({ timeout: 300 })]);
    await clock.advance("100s");
    await until(parent.id, isWaiting);
    const after = await restart(); // takes a minute
    await clock.advance("139s");
    expect((await after.get(parent.id)).status).toBe("waiting");
    await clock.advance("1s");
    expect((await after.wait(parent.id)).error).toMatchObject({
      code: "timeout",
      message: "The step took longer than 300 seconds.",
    });
    await expect.poll(async () => (await after.children(parent))[0]?.status).toBe("canceled");
  });
});

describe("children of one run", () => {
  it("do not keep its other steps from being executed", async () => {
    const { start, runsChild, until, children } = await open();
    const steps: Step[] = [
      input("in", to("a", "b", "beside")),
      runsChild({
        key: "a",
        for_each: { items: "[1,2,3,4,5,6,7,8,9,10].map(n, [1,2,3,4,5,6,7,8,9,10]).flatten()", concurrency: 100 },
      }),
      runsChild({
        key: "b",
        for_each: { items: "[1,2,3,4,5,6,7,8,9,10].map(n, [1,2,3,4,5,6,7,8,9,10]).flatten()", concurrency: 100 },
      }),
      give("beside"),
    ];
    const parent = await start(steps);
    await until(parent.id, (run) => step(run, "beside").status === "succeeded");
    expect(await children(parent)).not.toEqual([]);
  });
});

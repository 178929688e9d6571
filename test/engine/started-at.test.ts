/** When runs and steps have started: when they are executed, not when they could have been. */
import { afterEach, describe, expect, it } from "vitest";
import type { Run } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { openService, scripted, step } from "../support/engine/service.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A service with one slot, whose code steps `wait` until the test lets the next one end. */
async function open() {
  const clock = createTestClock();
  const waiting: (() => void)[] = [];
  const sandbox = scripted({ wait: () => new Promise((resolve) => waiting.push(() => resolve(1))) });
  const service = await openService({ sandbox, clock, limits: { concurrentRuns: 1 } });
  closers.push(() => service.stepwell.close());
  const workflow = await service.deploy([
    { type: "input", key: "start", input: {} },
    { type: "code", key: "code", code: "wait" },
  ]);
  return {
    ...service,
    clock,
    now: () => new Date(clock.now()).toISOString(),
    create: () => service.stepwell.runs.create(service.app, workflow),
    started: () => expect.poll(() => waiting.length).toBe(1),
    async end(run: Run): Promise<Run> {
      waiting.shift()?.();
      return service.wait(run.id);
    },
  };
}

describe("a run that waited for a slot", () => {
  it("has started, with its steps, when it got the slot", async () => {
    const { clock, now, create, get, started, end } = await open();
    const first = await create();
    await started();
    const second = await create();
    expect([second.started_at, step(second, "code").started_at]).toEqual([null, null]);
    await clock.advance(10_000);
    await end(first);
    await started();
    const running = await get(second.id);
    expect([running.started_at, step(running, "code").started_at]).toEqual([now(), now()]);
    const at = now();
    await clock.advance(1_000);
    const ended = await end(second);
    expect([ended.started_at, step(ended, "code").started_at]).toEqual([at, at]);
    expect(step(ended, "code").finished_at).toBe(now());
  });

  it("has no step that started if it is canceled before", async () => {
    const { stepwell, app, create, get, started, end } = await open();
    const first = await create();
    await started();
    const second = await create();
    await stepwell.runs.cancel(app, second.id);
    const canceled = await get(second.id);
    expect([canceled.started_at, step(canceled, "code").status, step(canceled, "code").started_at]).toEqual([
      null,
      "canceled",
      null,
    ]);
    await end(first);
  });
});

it("a step that waits has started when it began to wait", async () => {
  const { clock, now, deploy, stepwell, app, until, get } = await open();
  const workflow = await deploy([
    { type: "input", key: "start", input: {} },
    { type: "input", key: "ask", input: {} },
  ]);
  const { id } = await stepwell.runs.create(app, workflow);
  await until(id, ({ status }) => status === "waiting");
  const at = now();
  await clock.advance(10_000);
  await stepwell.runs.provide(app, id, "ask", {});
  await until(id, ({ status }) => status === "succeeded");
  const { started_at, finished_at } = step(await get(id), "ask");
  expect([started_at, finished_at]).toEqual([at, now()]);
});

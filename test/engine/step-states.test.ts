/** Step states in runs that end early: the table in ARCHITECTURE.md, for cases that random graphs do not cover. */
import { afterEach, describe, expect, it } from "vitest";
import type { Run, RunEvent, Step } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { memory } from "../support/engine/memory.ts";
import {
  fail,
  give,
  input,
  openService,
  type Service,
  scripted,
  statuses,
  step,
  to,
} from "../support/engine/service.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const MINUTE = 60_000;

async function open() {
  const clock = createTestClock();
  const data = new Map<string, string>();
  let tries = 0;
  const sandbox = scripted({ failOnce: () => (tries++ === 0 ? Promise.reject(new Error("once")) : "fine") });
  const more = { clock, sandbox, limits: { runTimeoutMs: MINUTE }, storage: { entities: memory(data).driver } };
  const service = await openService(more);
  closers.push(() => service.stepwell.close());
  return { ...service, clock };
}

const hang = (key: string): Step => ({ type: "code", key, code: "hang" });

/** Two iterations end, the third is running. */
const looping: Step = {
  type: "workflow",
  key: "loop",
  workflow_id: "{{ steps.ids.output[iteration < 3 ? 'quick' : 'slow'] }}",
  input: {},
  loop: "iteration < 0",
};

async function startRunning(service: Service): Promise<Run> {
  const quick = await service.deploy([input("in")]);
  const slow = await service.deploy([input("in"), hang("hang")]);
  const { id } = await service.start([
    input("in", to("ids", "ask", "hanging")),
    give("ids", to("loop"), { quick, slow }),
    { ...looping, ...to("behind") },
    { ...input("ask"), ...to("behind") },
    { ...hang("hanging"), ...to("behind") },
    give("behind"),
  ]);
  return service.until(id, (run) => step(run, "loop").attempts === 2 && step(run, "hanging").status === "running");
}

async function check(service: Service, run: Run): Promise<void> {
  expect(statuses(run)).toEqual({
    in: "succeeded",
    ids: "succeeded",
    loop: "canceled",
    ask: "canceled",
    hanging: "canceled",
    behind: "canceled",
  });
  for (const key of ["loop", "ask", "hanging"]) {
    expect(step(run, key)).toMatchObject({ output: null, error: null, finished_at: run.finished_at });
    expect(step(run, key).started_at).not.toBeNull();
  }
  expect(step(run, "loop").attempts).toBe(2);
  expect(step(run, "behind")).toMatchObject({ attempts: 0, started_at: null, finished_at: null });
  const events: RunEvent[] = [];
  for await (const event of service.stepwell.runs.events(service.app, run.id)) events.push(event);
  expect(events.map((event) => [event.id, event.type, "step" in event ? event.step : undefined])).toEqual([
    [1, "step.succeeded", "in"],
    [2, "step.succeeded", "ids"],
    [3, "step.canceled", "loop"],
    [4, "step.canceled", "ask"],
    [5, "step.canceled", "hanging"],
    [6, "step.canceled", "behind"],
    [7, `run.${run.status}`, undefined],
  ]);
}

describe("the steps of a run that ends early", () => {
  it("are canceled when the run is canceled", async () => {
    const service = await open();
    const { id } = await startRunning(service);
    await check(service, await service.stepwell.runs.cancel(service.app, id));
  });

  it("are canceled when the run exceeds limits.runTimeoutMs", async () => {
    const service = await open();
    const { id } = await startRunning(service);
    await service.clock.advance(MINUTE);
    const run = await service.wait(id);
    expect(run).toMatchObject({ status: "failed", error: { code: "run_timeout" } });
    await check(service, run);
  });

  it("execute after a retry, except those that had settled", async () => {
    const service = await open();
    const run = await service.run(
      [
        input("in", to("soft", "once", "hanging")),
        { ...fail("soft", { throw_on_error: false }) },
        { type: "code", key: "once", code: "failOnce", ...to("after") },
        { ...input("hanging", { conditional: "input.on" }) },
        give("after"),
      ],
      { on: true },
    );
    expect(statuses(run)).toEqual({
      in: "succeeded",
      soft: expect.stringMatching(/failed|canceled/),
      once: "failed",
      hanging: "canceled",
      after: "canceled",
    });
    await service.stepwell.runs.retry(service.app, run.id);
    const waiting = await service.until(run.id, ({ status }) => status === "waiting");
    expect(statuses(waiting)).toEqual({
      in: "succeeded",
      soft: "failed",
      once: "succeeded",
      hanging: "waiting",
      after: "succeeded",
    });
  });
});

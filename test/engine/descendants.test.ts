/** Child runs: how many descendants a run may have, and how many execute at once. */

import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { Options, Run, Step, StepOf } from "../../src/index.ts";
import { DEFAULT_LIMITS } from "../../src/options/settings.ts";
import type { Driver } from "../../src/ports/driver.ts";
import { memory } from "../support/engine/memory.ts";
import {
  give,
  input,
  note,
  openService,
  type Script,
  type Service,
  scripted,
  statuses,
  to,
} from "../support/engine/service.ts";
import { createGate } from "../support/gate.ts";
import { openStore } from "../support/storage/open.ts";

const open: Service[] = [];
afterEach(async () => {
  for (const { stepwell } of open.splice(0)) await stepwell.close();
});

async function openAndTrack(options: Options, app?: string): Promise<Service> {
  const service = await openService(options, app);
  open.push(service);
  return service;
}

const call = (key: string, workflow_id: string, more: Partial<StepOf<"workflow">> = {}): Step => ({
  type: "workflow",
  key,
  workflow_id,
  input: {},
  ...more,
});

/** Deploys a workflow that runs itself a number of times and tolerates failures. */
async function deployItself(service: Service, times: number): Promise<string> {
  const id = await service.deploy([note("start")]);
  const keys = Array.from({ length: times }, (_, index) => `call_${index}`);
  await service.stepwell.workflows.putDraft(service.app, id, {
    steps: [note("start", to(...keys)), ...keys.map((key) => call(key, id, { throw_on_error: false, ...to() }))],
  });
  await service.stepwell.workflows.deploy(service.app, id);
  return id;
}

const errorsOf = ({ steps }: Run) => steps.flatMap(({ error }) => (error === null ? [] : [error]));

async function all(service: Service): Promise<Run[]> {
  const { items } = await service.stepwell.runs.list(service.app, { take: 1_000 });
  return Promise.all(items.map(({ id }) => service.get(id)));
}

describe("a workflow that runs itself more than once", () => {
  it("starts limits.descendantRuns runs and fails the steps that would start more", async () => {
    const service = await openAndTrack({ limits: { descendantRuns: 20 } });
    const root = await service.runOf(await deployItself(service, 3));
    expect(root).toMatchObject({ status: "succeeded" });
    const runs = await all(service);
    expect(runs).toHaveLength(21);
    const errors = runs.flatMap(errorsOf);
    expect(errors).toHaveLength(21 * 3 - 20);
    expect(errors[0]).toMatchObject({
      code: "descendant_limit",
      message: `Run ${root.id} has started 20 descendant runs, the limit set by limits.descendantRuns.`,
    });
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(["descendant_limit"]));
  });

  it("starts 1,000 descendant runs where that is the limit", async () => {
    const service = await openAndTrack({ limits: { descendantRuns: 1_000 } });
    const root = await service.runOf(await deployItself(service, 2));
    expect(root.status).toBe("succeeded");
    expect((await service.stepwell.runs.list(service.app, { take: 1 })).total).toBe(1_001);
  });

  it("counts descendant runs for each root run separately", async () => {
    const service = await openAndTrack({ limits: { descendantRuns: 5 } });
    const workflow = await deployItself(service, 2);
    for (let count = 0; count < 3; count++) await service.runOf(workflow);
    expect((await service.stepwell.runs.list(service.app, { take: 1 })).total).toBe(3 * 6);
  });
});

describe("a child run for each of 10,000 items, nested twice", () => {
  it("fails at limits.descendantRuns with a clear error, and leaves no run open", async () => {
    const service = await openAndTrack({ limits: { descendantRuns: 300 } });
    const for_each = { items: "range(10000)", concurrency: 100 };
    const inner = await service.deploy([note("start")]);
    const middle = await service.deploy([call("inner", inner, { for_each })]);
    const outer = await service.runOf(await service.deploy([call("middle", middle, { for_each })]));
    expect(outer).toMatchObject({ status: "failed", error: { code: "child_failed", step: "middle" } });
    expect(outer.error?.message).toMatch(/^Workflow ".*", step "inner" .*limits\.descendantRuns\.$/);
    await expect.poll(async () => (await all(service)).every(({ finished_at }) => finished_at !== null)).toBe(true);
    expect(await all(service)).toHaveLength(301);
  });
});

describe("limits.descendantRuns", () => {
  it("allows a child run for each of 10,000 items, ten times over", () => {
    expect(DEFAULT_LIMITS.descendantRuns).toBe(100_000);
  });

  const asks = [input("in", to("ask")), input("ask")];

  it("applies across a restart, and steps find the child runs that they started", async () => {
    const data = new Map<string, string>();
    const options = () => ({ storage: { entities: memory(data).driver }, limits: { descendantRuns: 3 } });
    const first = await openAndTrack(options());
    const child = await first.deploy(asks);
    const plain = await first.deploy([give("done")]);
    const root = await first.start([
      input("in", to("a", "b")),
      call("a", child, to("c")),
      call("b", child, to("c")),
      call("c", plain, to("d")),
      call("d", plain),
    ]);
    const waiting = async ({ stepwell, app }: Service) =>
      (await stepwell.runs.listOfWorkflow(app, child)).items.filter(({ status }) => status === "waiting");
    await expect.poll(async () => (await waiting(first)).length).toBe(2);
    await first.stepwell.close();

    const second = await openAndTrack(options(), first.app);
    const children = await waiting(second);
    expect(children).toHaveLength(2);
    for (const { id } of children) await second.stepwell.runs.provide(second.app, id, "ask", {});
    const ended = await second.wait(root.id);
    expect(statuses(ended)).toEqual({ in: "succeeded", a: "succeeded", b: "succeeded", c: "succeeded", d: "failed" });
    expect(ended.error).toMatchObject({ code: "descendant_limit", step: "d" });
  });

  it("doesn't fail a step that resumes after a restart and already has its child run", async () => {
    const data = new Map<string, string>();
    const options = () => ({ storage: { entities: memory(data).driver }, limits: { descendantRuns: 1 } });
    const first = await openAndTrack(options());
    const child = await first.deploy(asks);
    const root = await first.start([call("call", child)]);
    const children = async ({ stepwell, app }: Service) => (await stepwell.runs.listOfWorkflow(app, child)).items;
    await expect.poll(async () => (await children(first)).map(({ status }) => status)).toEqual(["waiting"]);
    await first.stepwell.close();
    const second = await openAndTrack(options(), first.app);
    for (const { id } of await children(second)) await second.stepwell.runs.provide(second.app, id, "ask", {});
    expect(await second.wait(root.id)).toMatchObject({ status: "succeeded" });
  });
});

describe("child runs", () => {
  /** Counts concurrent calls of `work`, each of which ends in the next turn of the event loop. */
  function counting() {
    let [now, most] = [0, 0];
    const work: Script = async () => {
      now++;
      most = Math.max(most, now);
      await setImmediate();
      now--;
      return "done";
    };
    return { sandbox: scripted({ work }), most: () => most };
  }

  const work: Step = { type: "code", key: "work", code: "work" };

  it("execute at most limits.concurrentRuns at once; the others are queued", async () => {
    const { sandbox, most } = counting();
    const service = await openAndTrack({ sandbox, limits: { concurrentRuns: 3, queuedRuns: 0 } });
    const child = await service.deploy([work]);
    const keys = Array.from({ length: 30 }, (_, index) => `call_${index}`);
    const root = await service.run([input("in", to(...keys)), ...keys.map((key) => call(key, child, to()))]);
    expect(root.status).toBe("succeeded");
    expect(most()).toBe(3);
  });

  it("start at most 16 at once, whichever runs start them", async () => {
    const { driver } = memory(new Map<string, string>());
    /** Number of runs that each record of the log creates. */
    const started: number[] = [];
    const setItem: Driver["setItem"] = (key, value, options) => {
      if (key.startsWith("log:")) started.push(value.match(/"run:run_\w+",1,/g)?.length ?? 0);
      return driver.setItem?.(key, value, options);
    };
    const service = await openAndTrack({ storage: { entities: { ...driver, setItem } } });
    const { stepwell, app } = service;
    const child = await service.deploy([input("in", to("ask")), input("ask")]);
    const each = call("each", child, { for_each: { items: "range(50)", concurrency: 50 } });
    const parent = await service.deploy([each]);
    const roots = await Promise.all(Array.from({ length: 3 }, () => stepwell.runs.create(app, parent, { input: {} })));
    const children = async () => (await stepwell.runs.listOfWorkflow(app, child, { take: 200 })).items;
    const allAre = async (status: Run["status"]) => (await children()).every((one) => one.status === status);
    await expect.poll(async () => (await children()).length === 150 && (await allAre("waiting"))).toBe(true);
    expect(Math.max(...started)).toBe(16);
    await Promise.all(roots.map(({ id }) => stepwell.runs.cancel(app, id)));
    await expect.poll(() => allAre("canceled")).toBe(true);
  });

  it("all finish on five levels with one slot", async () => {
    const { sandbox, most } = counting();
    const service = await openAndTrack({ sandbox, limits: { concurrentRuns: 1, descendantRuns: 60 } });
    let workflow = await service.deploy([work]);
    for (let depth = 0; depth < 4; depth++) {
      const calls = ["a", "b"].map((key) => call(key, workflow, to()));
      workflow = await service.deploy([input("in", to("a", "b")), ...calls]);
    }
    expect(await service.runOf(workflow)).toMatchObject({ status: "succeeded" });
    expect(await all(service)).toHaveLength(1 + 2 + 4 + 8 + 16);
    expect(most()).toBe(1);
  });

  it("resume after a restart when all slots were taken", async () => {
    const data = new Map<string, string>();
    const storage = () => ({ entities: memory(data).driver });
    const limits = { concurrentRuns: 2, descendantRuns: 30 };
    const { release, released: held } = createGate();
    const first = await openAndTrack({ storage: storage(), limits, sandbox: scripted({ work: () => held }) });
    const child = await first.deploy([work]);
    const keys = Array.from({ length: 10 }, (_, index) => `call_${index}`);
    const calls = keys.map((key) => call(key, child, to()));
    const root = await first.start([input("in", to(...keys)), ...calls]);
    const children = async () => (await first.stepwell.runs.listOfWorkflow(first.app, child)).items;
    const byStatus = async (status: string) => (await children()).filter((one) => one.status === status).length;
    await expect.poll(() => byStatus("queued")).toBe(8);
    expect(await byStatus("running")).toBe(2);
    // As after a crash: what is stored now, and nothing of what the process does when it closes.
    const after = new Map(data);
    const { sandbox, most } = counting();
    const second = await openAndTrack({ storage: { entities: memory(after).driver }, limits, sandbox }, first.app);
    expect(await second.wait(root.id)).toMatchObject({ status: "succeeded" });
    expect(most()).toBe(2);
    release();
  });
});

it("a deleted run is removed from the list of its root run", async () => {
  const { driver } = memory(new Map());
  const storage = { entities: driver };
  const first = await openService({ storage });
  const root = await first.run([call("call", await first.deploy([give("done")]))]);
  await first.stepwell.close();
  const second = await openService({ storage, limits: { runRetentionMs: 0 } }, first.app);
  await second.stepwell.ready();
  await expect.poll(() => all(second)).toEqual([]);
  await second.stepwell.close();
  const store = openStore(driver);
  expect(await store.list(`runs.${root.id}`, { limit: 1 })).toMatchObject({ total: 0 });
  await store.close();
});

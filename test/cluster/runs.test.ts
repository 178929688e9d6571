/** Runs of several processes that share a store, with a queue and messages that may be lost. */
import { afterEach, describe, expect, it } from "vitest";
import type { Step } from "../../src/index.ts";
import { type Act, act, deploy, openProcesses, type Process, type Processes } from "../support/cluster/processes.ts";

const opened: Processes[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((processes) => processes.close()));
});

function open(own?: Act): Processes {
  const processes = openProcesses(own);
  opened.push(processes);
  return processes;
}

/** Steps that wait until they are let go, with the names of the processes that executed them. */
function gate() {
  const calls: { readonly process: string; readonly given: string; finish(): void }[] = [];
  const run: Act = (process, given, signal) =>
    new Promise((resolve, reject) => {
      calls.push({ process, given, finish: () => resolve(given) });
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  return { calls, run };
}

const input = (key: string, ...destinations: string[]): Step => ({
  ...{ type: "input", key, input: { answer: { type: "string" } }, destinations },
});

/** Where a run starts that has another input step. */
const begin = (...destinations: string[]): Step => ({ type: "input", key: "begin", input: {}, destinations });

async function statusOf({ stepwell }: Process, app: string, run: string) {
  return (await stepwell.runs.get(app, run)).status;
}

describe("a run in a cluster", () => {
  it("created by a process that only serves requests is executed by a worker", async () => {
    const { start } = open((process) => process);
    const [web, worker] = [await start("web", { work: false }), await start("worker")];
    const { app, workflow } = await deploy(web, [act("x")]);
    const run = await web.stepwell.runs.create(app, workflow, {});
    expect(run.status).toBe("queued");
    const done = await web.stepwell.runs.wait(app, run.id);
    expect(done).toMatchObject({ status: "succeeded", output: "worker" });
    expect(await worker.stepwell.runs.get(app, run.id)).toEqual(done);
  });

  it("created by a worker with a free slot is executed there, without a job", async () => {
    const { start, queue } = open((process) => process);
    const [one] = [await start("one"), await start("two")];
    const { app, workflow } = await deploy(one, [act("x")]);
    const run = await one.stepwell.runs.create(app, workflow, {});
    expect(await one.stepwell.runs.wait(app, run.id)).toMatchObject({ output: "one" });
    expect(queue.added.get("run")).toBeUndefined();
  });

  it("beyond the slots of a worker is executed by another one", async () => {
    const { calls, run } = gate();
    const { start, until } = open(run);
    const one = await start("one", { concurrency: 1 });
    const { app, workflow } = await deploy(one, [act("x")]);
    await start("two", { concurrency: 1 });
    await one.stepwell.runs.create(app, workflow, {});
    const second = await one.stepwell.runs.create(app, workflow, {});
    await until(() => calls.length === 2);
    expect(calls.map(({ process }) => process).sort()).toEqual(["one", "two"]);
    for (const { finish } of calls) finish();
    expect(await one.stepwell.runs.wait(app, second.id)).toMatchObject({ status: "succeeded" });
  });

  it("is shown in depth by any process while another one executes it", async () => {
    const { calls, run } = gate();
    const { start, until } = open(run);
    const [web, one] = [await start("web", { work: false }), await start("one")];
    const { app, workflow } = await deploy(web, [act("x", "first"), act("y", "second")]);
    const { id } = await web.stepwell.runs.create(app, workflow, {});
    await until(() => calls.length === 1);
    calls[0]?.finish();
    await until(() => calls.length === 2);
    for (const { stepwell } of [web, one]) {
      const { status, output, latest_attempts } = await stepwell.runs.getStep(app, id, "first");
      expect([status, output, latest_attempts.length]).toEqual(["succeeded", "x", 1]);
      expect(await stepwell.runs.getStep(app, id, "second")).toMatchObject({ status: "running", input: {} });
      expect(await stepwell.runs.evaluate(app, id, { expression: "steps.first.output" })).toMatchObject({ value: "x" });
      expect(await stepwell.runs.get(app, id, { preview: 1 })).toMatchObject({ steps: [{ output_bytes: 3 }, {}] });
    }
    calls[1]?.finish();
    await web.stepwell.runs.wait(app, id);
    expect(await web.stepwell.runs.getStep(app, id, "second")).toMatchObject({ status: "succeeded" });
  });

  it("waits and is woken by any process", async () => {
    const { start, until } = open((process) => process);
    const [web, worker] = [await start("web", { work: false }), await start("worker")];
    const { app, workflow } = await deploy(web, [
      begin("first"),
      act("x", "first", "ask"),
      input("ask", "last"),
      act("y", "last"),
    ]);
    const { id } = await web.stepwell.runs.create(app, workflow, { step_key: "begin" });
    await until(async () => (await statusOf(worker, app, id)) === "waiting");
    await web.stepwell.runs.provide(app, id, "ask", { answer: "yes" });
    expect(await web.stepwell.runs.wait(app, id)).toMatchObject({ status: "succeeded", output: "worker" });
  });

  it("whose steps execute elsewhere is canceled, and receives input, through any process", async () => {
    const { calls, run } = gate();
    const { start, until } = open(run);
    const [web] = [await start("web", { work: false }), await start("worker")];
    const steps = [
      begin("first"),
      act("x", "first", "ask", "long"),
      input("ask", "last"),
      act("long", "long", "last"),
      act("y", "last"),
    ];
    const { app, workflow } = await deploy(web, steps);
    const { id } = await web.stepwell.runs.create(app, workflow, { step_key: "begin" });
    await until(() => calls.length === 1);
    calls[0]?.finish();
    await until(() => calls.length === 2);
    const provided = await web.stepwell.runs.provide(app, id, "ask", { answer: "yes" });
    expect(provided.steps.map(({ status }) => status)).toEqual([
      "succeeded",
      "succeeded",
      "succeeded",
      "running",
      "pending",
    ]);
    await expect(web.stepwell.runs.provide(app, id, "ask", { answer: "no" })).rejects.toMatchObject({
      code: "conflict",
    });
    expect(await web.stepwell.runs.cancel(app, id)).toMatchObject({ status: "canceled" });
    expect(calls).toHaveLength(2);
  });

  it("passes its events on to followers in other processes", async () => {
    const { calls, run } = gate();
    const { start, until, clock } = open(run);
    const [web] = [await start("web", { work: false }), await start("worker")];
    const { app, workflow } = await deploy(web, [act("x", "first", "second"), act("y", "second")]);
    const { id } = await web.stepwell.runs.create(app, workflow, {});
    const types: string[] = [];
    const followed = (async () => {
      for await (const event of web.stepwell.runs.events(app, id)) types.push(event.type);
    })();
    for (let step = 1; step <= 2; step++) {
      await until(() => calls.length === step);
      // It is read several times meanwhile.
      await clock.advance("20s");
      calls[step - 1]?.finish();
    }
    await until(async () => (await statusOf(web, app, id)) === "succeeded");
    await followed;
    const step = ["step.started", "step.succeeded"];
    expect(types).toEqual([...step, ...step, "run.succeeded"]);
  });

  it("is taken over when its worker dies, and repeats only the step that was executing", async () => {
    const { calls, run } = gate();
    const { start, until } = open(run);
    const one = await start("one");
    const { app, workflow } = await deploy(one, [act("x", "first", "second"), act("y", "second")]);
    const { id } = await one.stepwell.runs.create(app, workflow, {});
    await until(() => calls.length === 1);
    calls[0]?.finish();
    await until(() => calls.length === 2);
    const two = await start("two");
    one.kill();
    await until(() => calls.length === 3);
    expect(calls.map(({ process, given }) => `${process} ${given}`)).toEqual(["one x", "one y", "two y"]);
    calls[2]?.finish();
    await until(async () => (await statusOf(two, app, id)) === "succeeded");
  });

  it("goes on in another worker at once when its worker closes", async () => {
    const { calls, run } = gate();
    const { start, until, clock } = open(run);
    const one = await start("one");
    const { app, workflow } = await deploy(one, [act("x")]);
    const { id } = await one.stepwell.runs.create(app, workflow, {});
    await until(() => calls.length === 1);
    const two = await start("two");
    const before = clock.now();
    let isClosed = false;
    void one.stepwell.close().then(() => {
      isClosed = true;
    });
    await until(() => isClosed && calls.length === 2);
    // The grace of the step, and at most one beat.
    expect(clock.now() - before).toBeLessThan(14_000);
    calls[1]?.finish();
    await until(async () => (await statusOf(two, app, id)) === "succeeded");
  });

  it("is executed although all jobs and messages are lost", async () => {
    const { start, until, queue } = open((process) => process);
    const [web] = [await start("web", { work: false }), await start("worker")];
    queue.losesMessages = true;
    queue.losesJobs = true;
    const { app, workflow } = await deploy(web, [
      begin("first"),
      act("x", "first", "ask"),
      input("ask", "last"),
      act("y", "last"),
    ]);
    const { id } = await web.stepwell.runs.create(app, workflow, { step_key: "begin" });
    queue.losesJobs = false;
    await until(async () => (await statusOf(web, app, id)) === "waiting");
    const ended = web.stepwell.runs.wait(app, id);
    await web.stepwell.runs.provide(app, id, "ask", { answer: "yes" });
    await until(async () => (await statusOf(web, app, id)) === "succeeded");
    let isTold = false;
    void ended.then(() => {
      isTold = true;
    });
    await until(() => isTold);
    expect(await ended).toMatchObject({ status: "succeeded" });
  });

  it.each(["pause", "cutOff"] as const)(
    "goes on elsewhere after a %s of its worker, which stores nothing more of it",
    async (loss) => {
      const { calls, run } = gate();
      const { start, until } = open(run);
      const one = await start("one");
      const { app, workflow } = await deploy(one, [act("x", "first", "second"), act("y", "second")]);
      const { id } = await one.stepwell.runs.create(app, workflow, {});
      await until(() => calls.length === 1);
      const two = await start("two");
      one[loss]();
      calls[0]?.finish();
      await until(() => calls.length === 2);
      expect(calls[1]).toMatchObject({ process: "two", given: "x" });
      one.resume();
      calls[1]?.finish();
      await until(() => calls.length === 3);
      expect(calls[2]).toMatchObject({ process: "two", given: "y" });
      calls[2]?.finish();
      await until(async () => (await statusOf(one, app, id)) === "succeeded");
      expect(await one.stepwell.runs.get(app, id)).toEqual(await two.stepwell.runs.get(app, id));
      expect(calls).toHaveLength(3);
    },
  );

  it("fails as poison_run when it kills one worker after the other, and takes no other run with it", async () => {
    const { calls, run } = gate();
    const { start, until } = open(run);
    let worker = await start("0");
    const { app, workflow } = await deploy(worker, [act("poison")]);
    const other = await deploy(worker, [act("long")]);
    const poison = await worker.stepwell.runs.create(app, workflow, {});
    const long = await worker.stepwell.runs.create(other.app, other.workflow, {});
    await until(() => calls.length === 2);
    const isOver = async () => (await statusOf(worker, app, poison.id)) === "failed";
    for (let death = 1; !(await isOver()); death++) {
      const before = calls.length;
      const next = await start(String(death));
      worker.kill();
      worker = next;
      await until(async () => calls.slice(before).some(({ given }) => given === "poison") || (await isOver()));
    }
    expect(await worker.stepwell.runs.get(app, poison.id)).toMatchObject({
      status: "failed",
      error: { code: "poison_run" },
    });
    await until(() => calls.at(-1)?.given === "long");
    calls.at(-1)?.finish();
    await until(async () => (await statusOf(worker, other.app, long.id)) === "succeeded");
  });
});

/** Runs that share a job: they are created at the same time, and each worker gets its part of them. */
import { afterEach, describe, expect, it } from "vitest";
import { act, deploy, openProcesses, type Process, type Processes } from "../support/cluster/processes.ts";
import { createGate } from "../support/gate.ts";

let processes: Processes;
afterEach(() => processes.close());

/** Counts the steps that each process executes until the gate opens. */
function open() {
  const gate = createGate();
  const counts = new Map<string, number>();
  processes = openProcesses(async (name) => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    await gate.released;
    return name;
  });
  const total = () => [...counts.values()].reduce((sum, count) => sum + count, 0);
  return { gate, counts, total };
}

/** Workers know each other once they have met. */
const meet = () => processes.clock.advance("10s");

function createTogether({ stepwell }: Process, app: string, workflow: string, count: number) {
  return Promise.all(Array.from({ length: count }, () => stepwell.runs.create(app, workflow, {})));
}

describe("runs that a web process creates at the same time", () => {
  it("are one job for a single worker", async () => {
    const { total, gate } = open();
    await processes.start("worker");
    const web = await processes.start("web", { work: false });
    await meet();
    const { app, workflow } = await deploy(web, [act("x")]);
    await createTogether(web, app, workflow, 12);
    await processes.until(() => total() === 12);
    expect(processes.queue.added.get("run")).toBe(1);
    gate.release();
  });

  it("are as many jobs as there are workers, and each of those gets its part", async () => {
    const { counts, total, gate } = open();
    for (const name of ["a", "b", "c"]) await processes.start(name);
    const web = await processes.start("web", { work: false });
    await meet();
    const { app, workflow } = await deploy(web, [act("x")]);
    await createTogether(web, app, workflow, 12);
    await processes.until(() => total() === 12);
    expect(processes.queue.added.get("run")).toBe(3);
    expect(Object.fromEntries(counts)).toEqual({ a: 4, b: 4, c: 4 });
    gate.release();
  });

  it("go to another worker if the one that has taken the job has no slots left for them", async () => {
    const { counts, total, gate } = open();
    await processes.start("small", { concurrency: 2 });
    const web = await processes.start("web", { work: false });
    await meet();
    const { app, workflow } = await deploy(web, [act("x")]);
    await createTogether(web, app, workflow, 9);
    await processes.until(() => total() === 2);
    await processes.start("large");
    // At once, not when the keeper looks for runs without a worker.
    await processes.clock.advance("1s");
    expect(Object.fromEntries(counts)).toEqual({ small: 2, large: 7 });
    gate.release();
  });

  it("are not lost, and begin once, if the worker that has taken the job dies before they have begun", async () => {
    const { counts, total, gate } = open();
    const first = await processes.start("first");
    const web = await processes.start("web", { work: false });
    await meet();
    const { app, workflow } = await deploy(web, [act("x")]);
    first.cutOff();
    await createTogether(web, app, workflow, 5);
    await processes.clock.advance("1s");
    first.kill();
    await processes.start("second");
    await processes.until(() => total() === 5);
    await processes.clock.advance("60s");
    expect(Object.fromEntries(counts)).toEqual({ second: 5 });
    gate.release();
  });
});

describe("an app with a backlog whose jobs were lost", () => {
  it("does not keep the run of another app waiting until all of its own have run", async () => {
    const gate = createGate();
    const order: string[] = [];
    processes = openProcesses(async (_, given) => {
      order.push(given);
      await gate.released;
      return given;
    });
    await processes.start("worker", { concurrency: 1 });
    const web = await processes.start("web", { work: false });
    await meet();
    const large = await deploy(web, [act("large")]);
    const small = await deploy(web, [act("small")]);
    processes.queue.losesJobs = true;
    await createTogether(web, large.app, large.workflow, 40);
    processes.queue.losesJobs = false;
    await processes.until(() => (processes.queue.added.get("run") ?? 0) >= 41);
    await createTogether(web, small.app, small.workflow, 1);
    await processes.clock.advance("1s");
    gate.release();
    await processes.until(() => order.length === 41);
    expect(order.indexOf("small")).toBeLessThan(5);
  });
});

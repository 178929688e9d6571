/** Limits that hold for all processes of a cluster together. */
import { afterEach, describe, expect, it } from "vitest";
import { act, deploy, openProcesses, type Process, type Processes } from "../support/cluster/processes.ts";
import { createGate } from "../support/gate.ts";

const opened: Processes[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((processes) => processes.close()));
});

/** Steps that end after some turns of the event loop; counts how many execute at once, by what they are given. */
function counting() {
  const now = new Map<string, number>();
  const most = new Map<string, number>();
  let total = 0;
  const processes = openProcesses(async (_, given) => {
    const count = (now.get(given) ?? 0) + 1;
    now.set(given, count);
    most.set(given, Math.max(count, most.get(given) ?? 0));
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    now.set(given, (now.get(given) ?? 0) - 1);
    total++;
    return given;
  });
  opened.push(processes);
  return { ...processes, most, total: () => total };
}

async function startAll(processes: readonly Process[], app: string, workflow: string, runs: number) {
  const of = (index: number) => processes[index % processes.length] as Process;
  await Promise.all(Array.from({ length: runs }, (_, index) => of(index).stepwell.runs.create(app, workflow, {})));
}

describe("in a cluster, as many runs execute at once as", () => {
  it("limits.concurrentRunsPerWorkflow allows", async () => {
    const { start, until, most, total } = counting();
    const limits = { concurrentRunsPerWorkflow: 3 };
    const processes: Process[] = [];
    for (const name of ["a", "b", "c", "d"]) processes.push(await start(name, { limits }));
    const { app, workflow } = await deploy(processes[0] as Process, [act("x")]);
    await startAll(processes, app, workflow, 40);
    await until(() => total() === 40);
    expect(most.get("x")).toBe(3);
  });

  it("limits.concurrentRunsPerApp allows, also after a worker died with some of them", async () => {
    const { start, until, most, total } = counting();
    const limits = { concurrentRunsPerApp: 5 };
    const processes: Process[] = [];
    for (const name of ["a", "b", "c"]) processes.push(await start(name, { limits }));
    const { app, workflow } = await deploy(processes[0] as Process, [act("x")]);
    await startAll(processes, app, workflow, 30);
    await until(() => total() >= 10);
    processes[2]?.kill();
    await until(async () => {
      const { total: open } = await (processes[0] as Process).stepwell.runs.list(app, {
        status: ["queued", "running"],
      });
      return open === 0;
    });
    expect(most.get("x")).toBeLessThanOrEqual(5);
  });

  it("the concurrency limit of the workflow allows, however many processes create them", async () => {
    const { start, until, most, total } = counting();
    const processes: Process[] = [];
    for (const name of ["a", "b", "c"]) processes.push(await start(name));
    const settings = { settings: { concurrency: { limit: 2 } } };
    const { app, workflow } = await deploy(processes[0] as Process, [act("x")], settings);
    await startAll(processes, app, workflow, 24);
    await until(() => total() === 24);
    expect(most.get("x")).toBe(2);
  });

  it("debounced calls of several processes leave one", async () => {
    const { start, until, total, clock } = counting();
    const processes: Process[] = [];
    for (const name of ["a", "b", "c"]) processes.push(await start(name));
    const { app, workflow } = await deploy(processes[0] as Process, [act("x")], {
      settings: { debounce: { period: 5 } },
    });
    await startAll(processes, app, workflow, 12);
    await until(() => total() === 1);
    await clock.advance("60s");
    expect(total()).toBe(1);
  });
});

describe("runs that wait for a limit", () => {
  it("cost no jobs again and again", async () => {
    const gate = createGate();
    const processes = openProcesses(async (name) => {
      await gate.released;
      return name;
    });
    opened.push(processes);
    const limits = { concurrentRunsPerWorkflow: 2 };
    await processes.start("worker", { limits });
    const web = await processes.start("web", { work: false, limits });
    const { app, workflow } = await deploy(web, [act("x")]);
    await startAll([web], app, workflow, 12);
    await processes.clock.advance("10s");
    const before = processes.queue.added.get("run") ?? 0;
    await processes.clock.advance("2m");
    expect(processes.queue.added.get("run")).toBe(before);
    gate.release();
    await processes.until(async () => {
      const { total } = await web.stepwell.runs.list(app, { status: ["succeeded"] });
      return total === 12;
    });
  });
});

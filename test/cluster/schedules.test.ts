/** Schedules of a cluster: each due time starts one run, in order, also when the jobs of its timers are lost. */
import { afterEach, expect, it } from "vitest";
import { act, deploy, openProcesses, type Process, type Processes } from "../support/cluster/processes.ts";

let processes: Processes;
afterEach(() => processes.close());

const POLICIES = ["skip", "once", "all"] as const;

async function open(every: number) {
  processes = openProcesses();
  const web = await processes.start("web", { work: false });
  const workers = [await processes.start("one"), await processes.start("two")];
  const { app, workflow } = await deploy(web, [act("x")]);
  const schedules = new Map<string, string>();
  for (const missed of POLICIES) {
    const { id } = await web.stepwell.schedules.create(app, { workflow_id: workflow, every, missed });
    schedules.set(missed, id);
  }
  const start = processes.clock.now();
  /** Seconds after the creation of the schedules. */
  const runs = async ({ stepwell }: Process, missed: string) =>
    (await stepwell.runs.list(app, { take: 100 })).items
      .filter(({ trigger }) => trigger.id === schedules.get(missed))
      .map(({ created_at }) => (Date.parse(created_at) - start) / 1_000)
      .reverse();
  const counts = () => Promise.all(POLICIES.map(async (missed) => (await runs(web, missed)).length));
  return { web, workers, runs, counts };
}

it("a schedule loses no time when the queue loses all jobs", async () => {
  const t = await open(3);
  for (let second = 0; second < 40; second++) {
    processes.queue.empty();
    await processes.clock.advance("1s");
  }
  for (const missed of POLICIES) {
    const runs = await t.runs(t.web, missed);
    expect(runs.length, missed).toBeGreaterThanOrEqual(11);
    runs.forEach((second, index) => {
      const late = second - (index + 1) * 3;
      expect(late, `${missed} ${index}`).toBeGreaterThanOrEqual(0);
      expect(late, `${missed} ${index}`).toBeLessThanOrEqual(5);
    });
  }
});

it("a schedule loses no time when all workers were stopped for some seconds", async () => {
  const t = await open(3);
  await processes.clock.advance("4s");
  for (const worker of t.workers) worker.pause();
  await processes.clock.advance("9s");
  expect(await t.counts()).toEqual([1, 1, 1]);
  for (const worker of t.workers) worker.resume();
  await processes.clock.advance("1s");
  expect(await t.counts()).toEqual([4, 4, 4]);
  await processes.clock.advance("9s");
  expect(await t.counts()).toEqual([7, 7, 7]);
});

it("a schedule starts each run of the last minute once when the wall clock leaps in all processes", async () => {
  const t = await open(3);
  await processes.clock.advance("4s");
  // The times from 93 to 153 are not missed.
  processes.leap(147_000);
  await processes.clock.advance("4s");
  expect(await t.counts()).toEqual([1 + 21, 1 + 1 + 21, 51]);
});

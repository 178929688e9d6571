/** What the processes of a cluster report: one of them reports for all. */
import { afterEach, expect, it } from "vitest";
import { act, deploy, openProcesses, type Processes } from "../support/cluster/processes.ts";
import { createGate } from "../support/gate.ts";
import { openMeter } from "../support/telemetry/meter.ts";

let processes: Processes;
afterEach(() => processes.close());

const meters = { keeper: openMeter(), other: openMeter(), web: openMeter() };
afterEach(async () => {
  for (const meter of Object.values(meters)) await meter.close();
});

/** The sum over all processes. */
async function sumOf(name: string): Promise<number> {
  let sum = 0;
  for (const meter of Object.values(meters)) sum += (await meter.collect())[name] ?? 0;
  return sum;
}

it("counts runs that no worker has taken, processes, and those that were lost", async () => {
  const gate = createGate();
  processes = openProcesses(async (name) => {
    await gate.released;
    return name;
  });
  const { clock } = processes;
  await processes.start("keeper", { concurrency: 1, telemetry: meters.keeper.telemetry });
  const other = await processes.start("other", { concurrency: 1, telemetry: meters.other.telemetry });
  const web = await processes.start("web", { work: false, telemetry: meters.web.telemetry });
  const { app, workflow } = await deploy(web, [act("x")]);
  for (let count = 0; count < 5; count++) await web.stepwell.runs.create(app, workflow, {});
  await processes.until(async () => (await sumOf("stepwell.runs.running")) === 2);
  await clock.advance("20s");

  expect(await sumOf("stepwell.cluster.runs.queued")).toBe(3);
  expect(await sumOf("stepwell.cluster.runs.queued.age")).toBeGreaterThanOrEqual(10);
  expect(await sumOf("stepwell.cluster.processes true")).toBe(2);
  expect(await sumOf("stepwell.cluster.processes false")).toBe(1);
  expect(await sumOf("stepwell.cluster.processes.lost")).toBe(0);

  other.kill();
  await processes.until(async () => (await sumOf("stepwell.cluster.processes.lost")) === 1);
  await processes.until(async () => (await sumOf("stepwell.cluster.processes true")) === 1);
  gate.release();
  await processes.until(async () => (await sumOf("stepwell.cluster.runs.queued")) === 0);
  await clock.advance("6s");
  expect(await sumOf("stepwell.cluster.runs.queued.age")).toBe(0);
});
